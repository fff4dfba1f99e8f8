import { listSuppressions, SuppressedContact } from '#contract/suppressions/suppressedContacts.ts';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import { listQuery } from '../../api/apiQuery.ts';
import { useCapability, useIdentityField } from '../../session/useSession.ts';
import { DataTable } from '../../table/DataTable.tsx';
import { DAY_FILTERS, toDayQuery } from '../../table/filters/dayRange.ts';
import { ListEmpty } from '../../table/ListFrame.tsx';
import { ListMenu } from '../../table/ListMenu.tsx';
import { ListFacts } from '../../table/ListToolbar.tsx';
import { type ListOptions, type ListState, useList } from '../../table/useList.ts';
import { useTimeZone } from '../../ui/format/time.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ContactTabs } from '../ContactTabs.tsx';
import { EventRules } from './EventRules.tsx';
import { UnsubscribeBursts } from './UnsubscribeBursts.tsx';
import { SuppressionFilters } from './SuppressionFilters.tsx';
import { columns, toRow } from './columns.tsx';

const LIST: ListOptions = {
  perPage: 25,
  sort: { id: 'since', desc: true },
  sortable: listSuppressions.list.sortable,
  choices: listSuppressions.list.choices,
  texts: listSuppressions.list.texts,
  params: DAY_FILTERS,
};

const suppressionsQuery = (zone: string) => (state: ListState) => ({
  ...listQuery(listSuppressions, { query: toDayQuery(state, zone) }),
  select: ({ data, ...page }: EndpointReading<typeof listSuppressions>) => ({ ...page, data: data.map(toRow) }),
});

/** With who the contacts are: `identity` is the name of the custom identity. */
const exportedColumns = (identity: string | null | undefined) =>
  Object.keys(SuppressedContact.shape).flatMap((field) => {
    if (field === 'actor') return ['actor.kind', 'actor.uuid', 'actor.name', 'actor.email'];
    if (field !== 'contact') return [field];
    const attributes = ['email', 'phone', 'first_name', 'last_name', identity ?? []].flat();
    return ['contact.uuid', ...attributes.map((name) => `contact.attributes.${name}`)];
  });

const HINT = 'Contacts that are unsubscribed appear here, with why, by whom and since when.';

export function SuppressionsPage() {
  if (useCapability(listSuppressions)) return <Suppressions />;
  return (
    <>
      <PageTitle title="Unsubscribed contacts" />
      <p className="soft">This service doesn’t say why contacts are unsubscribed.</p>
    </>
  );
}

/** Who is unsubscribed, since when, by whom and why. */
function Suppressions() {
  const zone = useTimeZone();
  const { list, query } = useList(LIST, suppressionsQuery(zone));
  const source = {
    what: 'unsubscribed contacts',
    endpoint: listSuppressions,
    input: { query: toDayQuery(list.state, zone) },
    columns: exportedColumns(useIdentityField()),
    fileName: 'unsubscribed',
  };
  return (
    <>
      <PageTitle title="Unsubscribed contacts">
        <ListFacts query={query} />
      </PageTitle>
      <ContactTabs />
      <UnsubscribeBursts />
      <SuppressionFilters list={list} rows={query.data?.data}>
        <EventRules />
        <ListMenu source={source} total={query.data?.meta.total} columns={columns} />
      </SuppressionFilters>
      <DataTable
        what="unsubscribed contacts"
        columns={columns}
        query={query}
        list={list}
        choosable
        empty={<ListEmpty list={list} what="unsubscribed contact" hint={HINT} />}
      />
    </>
  );
}
