import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { listContacts } from '#contract/additions.ts';
import { useCapability } from '../session/useSession.ts';
import { PageTitle } from '../shell/PageTitle.tsx';
import { ContactsTable } from './ContactsTable.tsx';
import { LookUp } from './LookUp.tsx';
import { RecentContacts } from './RecentContacts.tsx';

/** Find one contact by whatever one has; below, all of them where the service can list them. */
export function ContactsPage() {
  const canList = useCapability(listContacts);
  const lookUp = useLookUpFromNavigation();
  return (
    <>
      <PageTitle title="Contacts" />
      {/* The same text may be given twice. */}
      <LookUp key={lookUp?.at} initial={lookUp?.text ?? ''} atOnce={lookUp !== undefined} />
      {canList ? <ContactsTable /> : <RecentContacts />}
    </>
  );
}

/** The text that the palette hands over to be looked up. The browser keeps the state of its history: it is taken out of there. */
function useLookUpFromNavigation(): { text: string; at: string } | undefined {
  const navigate = useNavigate();
  const { key, state, pathname, search } = useLocation();
  const text = (state as { lookUp?: string } | null)?.lookUp;
  const [given, setGiven] = useState<{ text: string; at: string }>();
  if (text !== undefined && given?.at !== key) setGiven({ text, at: key });
  useEffect(() => {
    if (text !== undefined) void navigate(pathname + search, { replace: true, state: null });
  }, [navigate, text, pathname, search]);
  return given;
}
