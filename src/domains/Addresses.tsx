import { useQuery } from '@tanstack/react-query';
import { SenderAddress, type ReadableDomain } from '#contract/domains/domain.ts';
import { storedStatus } from '#contract/domains/recordStatus.ts';
import { listDomainAddresses } from '#contract/interface.ts';
import { DataTable } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { type ListOptions, useList } from '../table/useList.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { SectionActions } from '../ui/Section.tsx';
import { findLatestFindings } from './check/liveCheck.ts';
import type { useLatestCheck } from './check/latestCheck.ts';
import { FoldedSection } from './FoldedSection.tsx';
import { addressColumns } from './addressColumns.tsx';
import { addressesQuery } from './queries.ts';

/** The interface has no sorting for addresses. */
const LIST: ListOptions = { perPage: 10, sort: { id: '', desc: false }, sortable: [] };

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
        <ListMenu source={source} total={query.data?.meta.total} columns={addressColumns} />
      </SectionActions>
      <DataTable
        what="sender addresses"
        columns={addressColumns}
        query={query}
        list={list}
        choosable
        empty={
          <ListEmpty list={list} what="sender address" hint="Nothing is sent from this domain." imports="addresses" />
        }
      />
    </>
  );
}
