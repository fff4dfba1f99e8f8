import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate, useLocation, useParams } from 'react-router';
import { getContact, listContactChanges } from '#contract/additions.ts';
import { UUID } from '#contract/field.ts';
import { escapeInvisible } from '#contract/invisibleCharacters.ts';
import { ApiError } from '../api/ApiError.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { paths } from '../paths.ts';
import { useCapability } from '../session/useSession.ts';
import { PageTitle } from '../shell/PageTitle.tsx';
import classes from './ContactPage.module.css';
import { ContactRecord } from './ContactRecord.tsx';
import { History } from './History.tsx';
import { LookUp } from './LookUp.tsx';
import { contactQuery, existenceQuery, isContactCached, cacheContact, rememberContact } from './queries.ts';
import { personName } from './person.ts';
import { Subscription } from './Subscription.tsx';
import { Timeline } from './Timeline.tsx';

/** The page of a contact. Its address may hold whatever a link in another system holds of the person. */
export function ContactPage() {
  const { '*': rest = '', contact = rest } = useParams();
  // Everything on the page belongs to this contact: another one starts afresh.
  return <Linked key={contact} contact={contact} />;
}

/** What is no UUID, and what nobody answered to yet, is looked up as if it were typed into the box. */
function Linked({ contact }: { contact: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [isFound, setFound] = useState(() => UUID.test(contact) || isContactCached(client, contact));
  if (isFound) return <ContactDetails contact={contact} />;
  return (
    <>
      <PageTitle title="Find a contact" />
      <LookUp
        initial={contact}
        atOnce
        onFound={(found) =>
          found === contact ? setFound(true) : void navigate(paths.contact(found) + search, { replace: true })
        }
      />
    </>
  );
}

/** One contact: the record as far as it is known, what can be done, and the timeline. */
function ContactDetails({ contact }: { contact: string }) {
  const client = useQueryClient();
  const canRead = useCapability(getContact);
  const hasLog = useCapability(listContactChanges);
  const query = useQuery({ ...contactQuery(contact), enabled: canRead });
  const existence = useQuery({ ...existenceQuery(contact), enabled: !canRead });
  const known = query.data?.data;
  // A bare interface may never tell more of them than what they were found by.
  const asked = canRead ? 'Contact' : escapeInvisible(contact);
  useContactAddress(contact, known?.uuid);

  useEffect(() => {
    if (known !== undefined) cacheContact(client, known);
  }, [client, known]);
  useEffect(() => rememberContact(client, known?.uuid ?? contact), [client, contact, known?.uuid]);

  const missing = [query.error, existence.error].find((error) => error instanceof ApiError && error.status === 404);
  if (missing) {
    return (
      <>
        <PageTitle title="No such contact" />
        <ErrorAlert error={missing} />
        <LookUp initial={contact} />
      </>
    );
  }
  return (
    <>
      <PageTitle title={known === undefined ? asked : personName(known)} documentTitle="Contact">
        {known !== undefined && <Subscription subscribed={known.subscribed} />}
      </PageTitle>
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      <div className={classes.columns}>
        <div className={classes.person}>
          <ContactRecord contact={contact} query={query} canRead={canRead} />
          {hasLog && <History contact={contact} />}
        </div>
        <Timeline contact={contact} />
      </div>
    </>
  );
}

/** An address is personal: once the UUID is known, it replaces the identity in the URL and in the history. */
function useContactAddress(contact: string, uuid: string | undefined) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const move = useEffectEvent((to: string) => void navigate(paths.contact(to) + search, { replace: true }));
  useEffect(() => {
    if (uuid !== undefined && uuid !== contact) move(uuid);
  }, [contact, uuid]);
}
