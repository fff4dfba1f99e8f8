import { useQuery } from '@tanstack/react-query';
import { SenderAddress, type ReadableDomain, type ReadableSenderAddress } from '#contract/domain.ts';
import { storedStatus } from '#contract/recordStatus.ts';
import { listDomainAddresses } from '#contract/interface.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { type ListOptions, useList } from '../table/useList.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { SectionActions } from '../ui/Section.tsx';
import { StateBadge } from './StateBadge.tsx';
import { findLatestFindings } from './check/liveCheck.ts';
import type { useLatestCheck } from './check/latestCheck.ts';
import { FoldedSection } from './FoldedSection.tsx';
import { addressesQuery } from './queries.ts';

/** The interface has no sorting for addresses. */
const LIST: ListOptions = { perPage: 10, sort: { id: '', desc: false }, sortable: [] };

const columns: readonly Column<ReadableSenderAddress>[] = [
  { id: 'full_address', header: 'Address', cell: (address) => <Address address={address} />, width: 'auto' },
  {
    id: 'display_name',
    header: 'Display name',
    cell: (address) => <UntrustedText text={address.display_name || '–'} />,
    width: 140,
  },
  {
    id: 'verification',
    header: 'Provider says',
    cell: (address) => <StateBadge word={address.verification} />,
    width: 130,
  },
  {
    id: 'provider',
    header: 'Provider',
    cell: (address) => <UntrustedText text={address.provider || '–'} />,
    width: 90,
    from: 'medium',
  },
  {
    id: 'created_at',
    header: 'Created',
    cell: (address) => <DateTime value={address.created_at} />,
    width: 112,
    align: 'end',
    from: 'wide',
  },
];

type Props = { domain: ReadableDomain; latest: ReturnType<typeof useLatestCheck> };

export function Addresses({ domain, latest: { check, report } }: Props) {
  // A service without reports says the count with the first page only.
  const first = useQuery({
    ...addressesQuery(domain.uuid, { page: 1, perPage: LIST.perPage }),
    enabled: report === undefined,
  });
  const total = report?.address_count ?? first.data?.meta.total;
  const isBroken = findLatestFindings(domain.dns, check).some(
    (latest, index) => (latest?.finding.result ?? storedStatus(domain.dns?.[index]?.is_valid ?? null)) === 'fail',
  );
  return (
    <FoldedSection id="addresses" title="Sender addresses" summary={total !== undefined && describe(total, isBroken)}>
      <AddressTable domain={domain} />
    </FoldedSection>
  );
}

function describe(total: number, isBroken: boolean): string {
  if (total === 0) return 'none';
  return isBroken ? `${formatCount(total)}, ${total === 1 ? 'affected' : 'all affected'}` : formatCount(total);
}

function AddressTable({ domain }: { domain: ReadableDomain }) {
  const { list, query } = useList(LIST, (state) => addressesQuery(domain.uuid, state));
  const { page, perPage } = list.state;
  const source = {
    what: 'sender addresses',
    endpoint: listDomainAddresses,
    input: { domain: domain.uuid, query: { page, per_page: perPage } },
    columns: Object.keys(SenderAddress.shape),
    fileName: `addresses-of-${domain.name}`,
  };
  return (
    <>
      <SectionActions>
        <ListMenu source={source} total={query.data?.meta.total} columns={columns} />
      </SectionActions>
      <DataTable
        what="sender addresses"
        columns={columns}
        query={query}
        list={list}
        choosable
        empty={<ListEmpty list={list} what="sender address" hint="Nothing is sent from this domain." />}
      />
    </>
  );
}

function Address({ address }: { address: ReadableSenderAddress }) {
  const full = address.full_address ?? address.address ?? '–';
  return (
    <>
      <UntrustedText text={full} /> <CopyButton value={full} what="address" which={full} />
    </>
  );
}
