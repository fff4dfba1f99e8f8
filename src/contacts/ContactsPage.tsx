import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { listContacts } from '#contract/additions.ts';
import { useCapability } from '../session/useSession.ts';
import { firstListState } from '../table/listState.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { ContactsTable } from './ContactsTable.tsx';
import { FindBox } from './find/FindBox.tsx';
import { contactsQuery } from './queries.ts';
import { CONTACT_LIST, useContactFilter } from './useContactFilter.ts';

const RecentContacts = lazy(async () => ({ default: (await import('./RecentContacts.tsx')).RecentContacts }));

export const firstContacts = () => contactsQuery(firstListState(CONTACT_LIST));

export function ContactsPage() {
  const canList = useCapability(listContacts);
  const lookUp = useLookUpFromNavigation();
  const { list, filter } = useContactFilter();
  return (
    <>
      <PageTitle title="Contacts" />
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
