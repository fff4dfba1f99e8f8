import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useNavigate, useLocation, useParams } from 'react-router';
import { getContactActivity } from '#contract/activity.ts';
import { getContact } from '#contract/additions.ts';
import { listContactChanges } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { eraseContact, exportPerson } from '#contract/privacy.ts';
import { UUID } from '#contract/values/field.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { isNotFound } from '../api/ApiError.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { personAddress, personName } from '../identity/person.ts';
import { useCapability } from '../session/useSession.ts';
import { useTimeZone } from '../ui/format/time.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { paths } from '../url/paths.ts';
import { readQuery, textParam } from '../url/urlState.ts';
import classes from './ContactRecord.module.css';
import { ContactRecord } from './ContactRecord.tsx';
import { ContactSkeleton } from './ContactSkeleton.tsx';
import { FindBox } from './find/FindBox.tsx';
import type { Erased } from './privacy/ErasePerson.tsx';
import { PanelFrame, PanelPage, PanelSkeleton } from './panel/PanelPage.tsx';
import { LiftErasure } from './privacy/LiftErasure.tsx';
import { PersonRights } from './privacy/PersonRights.tsx';
import { contactQuery, existenceQuery, cacheContact, readContactAgain, rememberContact } from './queries.ts';
import { SamePerson } from './SamePerson.tsx';
import { Story } from './timeline/Story.tsx';
import { Unsubscribe } from './unsubscribe/Unsubscribe.tsx';
import { formatCount } from '../ui/format/formatCount.ts';
import { Notice } from '../ui/Notice.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';

export function ContactPage() {
  const { '*': rest = '', contact = rest } = useParams();
  return <Linked key={contact} contact={contact} />;
}

function Linked({ contact }: { contact: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();
  const isPanel = readQuery({ panel: textParam }, search).panel === '1';
  const [isFound, setFound] = useState(() => UUID.test(contact) || isContactCached(client, contact));
  const [erased, setErased] = useState<Erased>();
  if (erased !== undefined) return <ErasedPerson erased={erased} />;
  if (isFound && isPanel) return <PanelPage contact={contact} />;
  if (isFound) return <ContactDetails contact={contact} onErased={setErased} />;
  const box = (
    <FindBox
      initial={contact}
      atOnce
      meanwhile={isPanel ? <PanelSkeleton /> : <LookingUp />}
      heading={<PageTitle title="Find a contact" />}
      onFound={(found) =>
        found === contact ? setFound(true) : void navigate(paths.contact(found) + search, { replace: true })
      }
      ifNobody={<LiftErasure />}
    />
  );
  return isPanel ? <PanelFrame>{box}</PanelFrame> : box;
}

function LookingUp({ name = null }: { name?: string | null }) {
  return (
    <>
      <Title name={name} />
      <ContactSkeleton />
    </>
  );
}

function ContactDetails({ contact, onErased }: { contact: string; onErased: (erased: Erased) => void }) {
  const client = useQueryClient();
  const canRead = useCapability(getContact);
  const hasLog = useCapability(listContactChanges);
  const hasActivity = useCapability(getContactActivity);
  const hasRights = [useCapability(exportPerson), useCapability(eraseContact)].some(Boolean);
  const zone = useTimeZone();
  const query = useQuery({ ...contactQuery(contact), enabled: canRead });
  const existence = useQuery({ ...existenceQuery(contact), enabled: !canRead });
  const record = query.data?.data;
  // A bare interface may never send a record.
  const unread = canRead ? null : escapeInvisible(contact);
  const name = record === undefined ? unread : personName(record);
  useUuidInUrl(contact, record?.uuid);

  useEffect(() => {
    if (record !== undefined) cacheContact(client, record);
  }, [client, record]);
  useEffect(() => rememberContact(client, record?.uuid ?? contact), [client, contact, record?.uuid]);

  const isPending = canRead && query.isPending;
  if ([query.error, existence.error].some(isNotFound)) return <MissingContact contact={contact} />;
  // The UUID in the URL restarts the page: what you opened before would be lost, and lists would be read twice.
  if (canRead && record !== undefined && paths.contact(record.uuid) !== paths.contact(contact))
    return <LookingUp name={name} />;
  return (
    <>
      <Title name={name} record={record}>
        {!canRead && <LastUpdated query={{ ...existence, refetch: () => readContactAgain(client) }} />}
      </Title>
      <p className="print-only">All times are in {zone}.</p>
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {isPending ? (
        <ContactSkeleton />
      ) : (
        <section aria-label="Subscription" className={classes.head}>
          <Unsubscribe contact={contact} record={record} readAt={query.dataUpdatedAt} />
          {record && hasRights && <PersonRights record={record} onErased={onErased} />}
        </section>
      )}
      {/* Mounted at once, so that all is read at the same time. */}
      <div className={classes.columns} hidden={isPending}>
        <div className={classes.person}>
          <ContactRecord
            contact={contact}
            query={query}
            canRead={canRead}
            exists={query.isError || existence.isError ? false : existence.isSuccess || undefined}
          />
          {record !== undefined && <SamePerson record={record} />}
          {!hasRights && <p className="soft">This service doesn’t support data export or erasure.</p>}
        </div>
        <div className={classes.events}>
          <Story contact={contact} hasActivity={hasActivity} hasLog={hasLog} isHidden={isPending} />
        </div>
      </div>
    </>
  );
}

function MissingContact({ contact }: { contact: string }) {
  return (
    <>
      <PageTitle title="No such contact" />
      <p>The link may be old or from another workspace, or the person was erased.</p>
      <FindBox initial={contact} />
      <LiftErasure />
    </>
  );
}

type TitleProps = { name: string | null; record?: ReadableContact | undefined; children?: ReactNode };

/** With room for the address, which comes with the record. */
function Title({ name, record, children }: TitleProps) {
  return (
    <div className={classes.title}>
      <PageTitle title={name ?? 'Contact'} documentTitle={name === null ? 'Contacts' : `${name} · Contacts`}>
        {record && <Address text={personAddress(record)} name={name} />}
        {children}
      </PageTitle>
    </div>
  );
}

/** Email or phone, unless the heading is it. */
function Address({ text, name }: { text: string; name: string | null }) {
  return (
    text !== '' &&
    text !== name && (
      <span className={classes.address}>
        <UntrustedText text={text} />
      </span>
    )
  );
}

/** Replaces an identity in the URL and in the browser's history by the UUID: an identity is personal data. */
function useUuidInUrl(contact: string, uuid: string | undefined) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const move = useEffectEvent((to: string) => void navigate(paths.contact(to) + search, { replace: true }));
  useEffect(() => {
    if (uuid !== undefined && uuid !== contact) move(uuid);
  }, [contact, uuid]);
}

function isContactCached(client: QueryClient, contact: string): boolean {
  return [contactQuery(contact), existenceQuery(contact)].some(({ queryKey }) => client.getQueryData(queryKey));
}

function ErasedPerson({ erased }: { erased: Erased }) {
  const { reference, requestId } = erased === 'earlier' ? {} : erased;
  const title =
    erased === 'earlier'
      ? 'This person has already been erased.'
      : 'The record, its events and log entries about the person are deleted.';
  return (
    <>
      <PageTitle title="Person erased" />
      <Notice tone="good" title={title}>
        <p>
          {erased !== 'earlier' && (
            <>
              Events: {formatCount(erased.events)}. Changes: {formatCount(erased.changes)}.{' '}
              {!erased.is_complete && 'Some events are still being deleted, but no longer visible. '}
            </>
          )}
          Adding or importing this person again is blocked until an admin lifts the erasure.
        </p>
        <p>Bulk unsubscribe lists and files you saved may still contain this person.</p>
        <p>Attributes and events of other contacts weren’t searched.</p>
        {reference !== undefined && (
          <p>
            Reference: <UntrustedText text={reference} />
          </p>
        )}
        {requestId !== undefined && (
          <p>
            Request ID in the log: <UntrustedText className="mono" text={requestId} />{' '}
            <CopyButton value={requestId} what="request ID" />
          </p>
        )}
      </Notice>
      <LiftErasure />
      <p>
        <Link to={paths.contacts}>All contacts</Link>
      </p>
    </>
  );
}
