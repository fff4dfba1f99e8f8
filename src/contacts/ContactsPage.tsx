import { useEffect, useState } from 'react';
import { useLocation, useNavigate, Link } from 'react-router';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listContacts } from '#contract/additions.ts';
import { useCapability } from '../session/useSession.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { paths } from '../url/paths.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { personName } from '../contact/person.ts';
import { ContactsTable } from './ContactsTable.tsx';
import { LookUp } from './LookUp.tsx';
import classes from './LookUp.module.css';
import { contactQuery, recentContactsQuery } from './queries.ts';

/** The look-up; below it all contacts, or those opened recently where the service cannot list them. */
export function ContactsPage() {
  const canList = useCapability(listContacts);
  const lookUp = useLookUpFromNavigation();
  return (
    <>
      <PageTitle title="Contacts" />
      {/* A key for each navigation: the palette may pass the same text twice. */}
      <LookUp key={lookUp?.at} initial={lookUp?.text ?? ''} atOnce={lookUp !== undefined} />
      {canList ? <ContactsTable /> : <RecentContacts />}
    </>
  );
}

/** The text that the palette passes to be looked up. It is removed from the history state, which the browser keeps. */
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

/** The contacts opened in this session, where the service cannot list contacts. */
function RecentContacts() {
  const client = useQueryClient();
  const { data: recent } = useQuery(recentContactsQuery);
  return (
    <section className={classes.recent} aria-labelledby="recent">
      <h2 id="recent">Opened since you signed in</h2>
      {recent.length === 0 ? (
        <p>Nobody yet. This service cannot list its contacts; look one up above.</p>
      ) : (
        <ul>
          {recent.map((contact) => {
            const record = client.getQueryData(contactQuery(contact).queryKey)?.data;
            return (
              <li key={contact}>
                <Link to={paths.contact(contact)}>
                  <UntrustedText text={record === undefined ? contact : personName(record)} />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
