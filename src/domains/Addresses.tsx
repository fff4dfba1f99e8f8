import { SenderAddress, type ReadableDomain, type ReadableSenderAddress } from '#contract/domain.ts';
import { listDomainAddresses } from '#contract/interface.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { type ListOptions, useList } from '../table/useList.ts';
import { Total } from '../table/ListToolbar.tsx';
import { formatCount } from '../ui/format/formatCount.ts';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Section, SectionActions } from '../ui/Section.tsx';
import { StateBadge } from './StateBadge.tsx';
import { countFailed } from './domainState.ts';
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
    header: 'Verification',
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

export function Addresses({ domain }: { domain: ReadableDomain }) {
  const { list, query } = useList(LIST, (state) => addressesQuery(domain.uuid, state));
  const { page, perPage } = list.state;
  const source = {
    what: 'sender addresses',
    endpoint: listDomainAddresses,
    input: { domain: domain.uuid, query: { page, per_page: perPage } },
    columns: Object.keys(SenderAddress.shape),
    fileName: `addresses-of-${domain.name}`,
  };
  const total = query.data?.meta.total ?? 0;

  return (
    <Section
      id="addresses"
      title="Sender addresses"
      rightSection={
        <>
          <Total meta={query.data?.meta} />
          <SectionActions>
            <ListMenu source={source} total={query.data?.meta.total} columns={columns} />
          </SectionActions>
        </>
      }
    >
      {countFailed(domain) > 0 && total > 0 && (
        <Notice
          tone="warn"
          title={total === 1 ? 'This address is affected' : `All ${formatCount(total)} addresses are affected`}
        >
          Mail from {total === 1 ? 'it' : 'them'} may not be sent, or may be refused or land in spam, until the failed
          DNS records are fixed.
        </Notice>
      )}
      <DataTable
        what="sender addresses"
        columns={columns}
        query={query}
        list={list}
        choosable
        empty={<ListEmpty list={list} what="sender address" hint="Nothing is sent from this domain." />}
      />
    </Section>
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
