import { AddressOfDomain, listAddresses, type ReadableAddressOfDomain } from '#contract/addresses.ts';
import { listQuery } from '../api/apiQuery.ts';
import { useCapability } from '../session/useSession.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { ListFacts, ListToolbar } from '../table/ListToolbar.tsx';
import { SearchInput } from '../table/SearchInput.tsx';
import { type ListControl, type ListOptions, type ListState, toListQuery, useList } from '../table/useList.ts';
import { Choice } from '../ui/Choice.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { MiddleCut } from '../ui/values/UntrustedText.tsx';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { addressColumns } from './addressColumns.tsx';
import { DomainTabs } from './DomainTabs.tsx';
import { describeState } from './domainState.ts';

const LIST: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listAddresses.list.sortable,
  texts: listAddresses.list.texts,
};

const addressesQuery = (state: ListState) => listQuery(listAddresses, { query: toListQuery(state) });

const [ADDRESS, ...OTHERS] = addressColumns;

const columns: readonly Column<ReadableAddressOfDomain>[] = [
  ADDRESS,
  {
    id: 'domain_name',
    header: 'Domain',
    cell: ({ domain_name }) => (
      <Link to={paths.domain(domain_name)}>
        <MiddleCut text={domain_name} />
      </Link>
    ),
    width: 160,
    fits: true,
  },
  {
    id: 'domain_state',
    header: 'Domain state',
    cell: ({ domain_state: state }) => {
      const { tone, label } = describeState(state);
      return <StatusBadge tone={tone}>{label}</StatusBadge>;
    },
    width: 132,
    from: 'wide',
  },
  ...OTHERS,
];

export function AddressesPage() {
  if (useCapability(listAddresses)) return <AllAddresses />;
  return (
    <>
      <PageTitle title="Addresses" />
      <p className="soft">This service lists addresses only on the page of their domain.</p>
    </>
  );
}

function AllAddresses() {
  const { list, query } = useList(LIST, addressesQuery);
  const source = {
    what: 'addresses',
    endpoint: listAddresses,
    input: { query: toListQuery(list.state) },
    columns: Object.keys(AddressOfDomain.shape),
    fileName: 'addresses',
  };
  return (
    <>
      <PageTitle title="Addresses">
        <ListFacts query={query} />
      </PageTitle>
      <DomainTabs />
      <ListToolbar>
        <SearchInput list={list} label="Search addresses" placeholder="Search by address" />
        <VerificationFilter list={list} />
        <ListMenu source={source} total={query.data?.meta.total} columns={columns} />
      </ListToolbar>
      <DataTable
        what="addresses"
        columns={columns}
        query={query}
        list={list}
        choosable
        empty={<ListEmpty list={list} what="address" imports="addresses" />}
      />
    </>
  );
}

const ALL = { value: '', label: 'All' };
/** What Sendroom itself writes; an import may contain any other word. */
const WORDS = ['completed', 'pending', 'failed'].map((word) => ({ value: word, label: word }));

function VerificationFilter({ list }: { list: ListControl }) {
  const { verification = '' } = list.state.filters;
  const value = String(verification);
  const known = [ALL, ...WORDS];
  const choices = known.some((one) => one.value === value) ? known : [...known, { value, label: value }];
  return (
    <Choice
      label="Provider says"
      value={value}
      choices={choices}
      onChange={(next) => list.change({ filters: next === '' ? {} : { verification: next } })}
    />
  );
}
