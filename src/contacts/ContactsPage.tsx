import { lazy, Suspense, useEffect, useState, useDeferredValue } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { listContacts } from '#contract/additions.ts';
import type { OperationId } from '#contract/roles.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { firstListState, toListQuery, useListPage, type ListControl } from '../table/useList.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { ContactTabs } from './ContactTabs.tsx';
import { FindBox } from './find/FindBox.tsx';
import { contactsQuery } from './queries.ts';
import { CONTACT_LIST, useContactFilter } from './useContactFilter.ts';
import { Contact, type ReadableContact } from '#contract/contact.ts';
import { personName } from '../identity/person.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { useAttributeColumns } from './useAttributeColumns.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { ListToolbar, ListFacts } from '../table/ListToolbar.tsx';
import { Choice } from '../ui/Choice.tsx';
import { Section } from '../ui/Section.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { EndCut, MiddleCut } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { afterFirstLoad } from '../ui/page/afterPaint.ts';
import { Subscription } from './unsubscribe/Subscription.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { selectedContactsQuery } from '../identity/selectedContacts.ts';
import type { RowSelection } from '../table/SelectBox.tsx';

/** Without its operations, which are loaded with it. */
const VIEWS = { id: 'listViews' } satisfies { id: OperationId };
const ViewBar = lazy(async () => {
  await afterFirstLoad();
  return { default: (await import('./views/ViewBar.tsx')).ViewBar };
});
const RecentContacts = lazy(async () => ({ default: (await import('./RecentContacts.tsx')).RecentContacts }));

export const firstContacts = () => contactsQuery(firstListState(CONTACT_LIST));

export function ContactsPage() {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const canList = useCapability(listContacts);
  const lookUp = useLookUpFromNavigation();
  const { list, filter, isPersonal } = useContactFilter();
  const hasViews = useCapability(VIEWS) && canList;
  return (
    <>
      <PageTitle title="Contacts">
        <Suspense>{hasViews && <ViewBar isPersonal={isPersonal} />}</Suspense>
      </PageTitle>
      <ContactTabs />
      <FindBox
        // The palette may pass the same text twice.
        key={lookUp?.at}
        {...(lookUp && { initial: lookUp.text, atOnce: true })}
        filter={canList ? filter : undefined}
      />
      <Suspense>{canList ? <ContactsTable list={list} /> : <RecentContacts />}</Suspense>
    </>
  );
}

/** The text from the palette. It's removed from the history state, which the browser keeps. */
function useLookUpFromNavigation(): { text: string; at: string } | undefined {
  const navigate = useNavigate();
  const { key, state, pathname, search } = useLocation();
  const text = (state as { lookUp?: string } | null)?.lookUp;
  const [lookUp, setLookUp] = useState<{ text: string; at: string }>();
  if (text !== undefined && lookUp?.at !== key) setLookUp({ text, at: key });
  useEffect(() => {
    if (text !== undefined) void navigate(pathname + search, { replace: true, state: null });
  }, [navigate, text, pathname, search]);
  return lookUp;
}

const SelectedActions = lazy(async () => ({
  default: (await import('./unsubscribe/SelectedActions.tsx')).SelectedActions,
}));

/** Once the pointer moves or a row has the focus, so that nothing delays the rows; at once for a link that opens the panel. */
const ContactPeek = lazy(async () => {
  if (!location.href.includes('panel='))
    await new Promise<void>((resolve) => {
      const listen = ({ type, target }: Event) => {
        if (type === 'pointermove' || (target instanceof Element && target.closest('tbody') !== null)) resolve();
      };
      for (const type of ['pointermove', 'focusin']) window.addEventListener(type, listen, { capture: true });
    });
  return { default: (await import('./panel/ContactPeek.tsx')).ContactPeek };
});
const FilterInstead = lazy(async () => ({ default: (await import('./filter/FilterInstead.tsx')).FilterInstead }));
const FilterChips = lazy(async () => ({ default: (await import('./filter/FilterChips.tsx')).FilterChips }));

const SUBSCRIBED = [
  { value: 'all', label: 'All' },
  { value: 'true', label: 'Subscribed' },
  { value: 'false', label: 'Unsubscribed' },
] as const;

/** Exported columns: fields and attributes of docs/interface.md, 2. */
const FIELDS = Object.keys(Contact.shape).filter((field) => field !== 'attributes');
const ATTRIBUTES = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];

const columns: readonly Column<ReadableContact>[] = [
  {
    id: 'last_name',
    header: 'Name',
    cell: (contact) => (
      <Link to={paths.contact(contact.uuid)}>
        <EndCut text={personName(contact)} />
      </Link>
    ),
    width: 158,
    fits: true,
  },
  {
    id: 'email',
    header: 'Email',
    cell: (contact) => <Attribute contact={contact} name="email" Cut={MiddleCut} />,
    width: 210,
  },
  {
    id: 'subscribed',
    header: 'Subscription',
    cell: (contact) => <Subscription subscribed={contact.subscribed} />,
    width: 132,
    fits: true,
  },
  {
    id: 'company',
    header: 'Company',
    cell: (contact) => <Attribute contact={contact} name="company" Cut={EndCut} />,
    width: 120,
    fits: true,
  },
  {
    id: 'updated_at',
    header: 'Updated',
    cell: (contact) => <DateTime value={contact.updated_at} />,
    width: 112,
    align: 'end',
    from: 'wide',
  },
  {
    id: 'created_at',
    header: 'Created',
    cell: (contact) => <DateTime value={contact.created_at} />,
    width: 112,
    align: 'end',
    from: 'wide',
  },
];

function ContactsTable({ list }: { list: ListControl }) {
  const query = useListPage(list, contactsQuery);
  const { selection, selected } = useContactSelection();
  // Checkboxes must not wait for the code of the actions.
  const actedOn = useDeferredValue(selected);
  const { subscribed, filter } = list.state.filters;
  const isAll = list.state.search === '' && subscribed === undefined && filter === undefined;
  const shown = useAttributeColumns(query.data?.data);
  const attributes = [...ATTRIBUTES, useSession().identity_field ?? []].flat();
  const source = {
    what: 'contacts',
    endpoint: listContacts,
    input: { query: toListQuery(list.state) },
    columns: [...FIELDS, ...attributes.map((name) => `attributes.${name}`), 'attributes'],
    fileName: 'contacts',
  };

  return (
    <Section
      id="all-contacts"
      title={isAll ? 'All contacts' : 'Matching contacts'}
      rightSection={<ListFacts query={query} />}
    >
      <ListToolbar>
        <Choice
          label="Subscription"
          value={`${subscribed ?? 'all'}`}
          choices={SUBSCRIBED}
          onChange={(value) => list.filter({ subscribed: value === 'all' ? null : value === 'true' })}
        />
        <Suspense>
          {actedOn.length > 0 && (
            <SelectedActions selected={actedOn} onDeselect={(contacts) => selection.select(contacts, false)} />
          )}
        </Suspense>
        <ListMenu source={source} total={query.data?.meta.total} columns={[...columns, ...shown.offered]} />
      </ListToolbar>
      <Suspense>
        {typeof filter === 'string' && (
          <FilterChips
            list={list}
            filter={filter}
            onChange={(changed) => list.filter({ filter: changed })}
            contacts={query.data?.data}
          />
        )}
      </Suspense>
      <DataTable
        what="contacts"
        columns={[...columns, ...shown.chosen]}
        query={query}
        list={sortsBy(list, shown.chosen)}
        selection={selection}
        choosable
        empty={<ListEmpty list={list} what="contact" imports="contacts" instead={<FilterInstead list={list} />} />}
      />
      <Suspense>{query.data && <ContactPeek />}</Suspense>
    </Section>
  );
}

/** `list` sorts by attributes too. Of too many contacts, the service says so. */
function sortsBy(list: ListControl, attributes: readonly { id: string }[]): ListControl {
  const { options } = list;
  return { ...list, options: { ...options, sortable: [...options.sortable, ...attributes.map(({ id }) => id)] } };
}

type AttributeProps = { contact: ReadableContact; name: string; Cut: typeof EndCut };

function Attribute({ contact, name, Cut }: AttributeProps) {
  'use no memo'; // Its row keeps it, and the first file has to be small.
  const value = contact.attributes?.[name];
  return <Cut text={typeof value === 'string' ? value : null} />;
}

function useContactSelection() {
  const client = useQueryClient();
  // Also in state: the cache reports changes later, and a checkbox must not wait.
  const [selected, setSelected] = useState(() => client.getQueryData(selectedContactsQuery.queryKey) ?? []);
  const change = (update: (selected: readonly ReadableContact[]) => readonly ReadableContact[]) => {
    setSelected(update);
    client.setQueryData(selectedContactsQuery.queryKey, (kept = []) => update(kept));
  };
  const select = (contacts: readonly ReadableContact[], isSelected: boolean) => {
    const changed = new Set(contacts.map(({ uuid }) => uuid));
    change((before) => [...before.filter(({ uuid }) => !changed.has(uuid)), ...(isSelected ? contacts : [])]);
  };
  const uuids = new Set(selected.map(({ uuid }) => uuid));
  const selection: RowSelection<ReadableContact> = { has: ({ uuid }) => uuids.has(uuid), select, nameOf: personName };
  return { selection, selected };
}
