import { useQuery } from '@tanstack/react-query';
import { listContactChanges } from '#contract/change.ts';
import { isNotFound } from '../../api/ApiError.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { personAddress, personName } from '../../identity/person.ts';
import { useCapability } from '../../session/useSession.ts';
import type { ListState } from '../../table/useList.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { contactQuery } from '../queries.ts';
import { useEvents } from '../timeline/historyQueries.ts';
import { StoryDays } from '../timeline/StoryDays.tsx';
import { useStory } from '../timeline/useStory.ts';
import { Unsubscribe } from '../unsubscribe/Unsubscribe.tsx';
import classes from './ContactPanel.module.css';

/** What stands next to something else: a list, or a ticket of another program. */
export function ContactSummary({ contact }: { contact: string }) {
  const query = useQuery(contactQuery(contact));
  const record = query.data?.data;
  if (isNotFound(query.error)) return <p>No such contact. The person may have been erased.</p>;
  return (
    <>
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {record !== undefined && <Who texts={[personAddress(record), ...workOf(record)]} name={personName(record)} />}
      <section aria-label="Subscription" className={classes.state} aria-busy={query.isPending}>
        {record !== undefined && <Unsubscribe contact={contact} record={record} readAt={query.dataUpdatedAt} />}
      </section>
      <LastEvents contact={contact} />
    </>
  );
}

function Who({ texts, name }: { texts: readonly string[]; name: string }) {
  const shown = texts.filter((text) => text !== '' && text !== name);
  if (shown.length === 0) return null;
  return (
    <p className={classes.who}>
      {shown.map((text) => (
        <UntrustedText key={text} text={text} />
      ))}
    </p>
  );
}

const workOf = ({ attributes }: { attributes: Record<string, unknown> | null }): string[] =>
  ['company', 'job_title'].flatMap((key) => {
    const value = attributes?.[key];
    return typeof value === 'string' ? [value] : [];
  });

const LAST: ListState = { page: 1, perPage: 10, search: '', sort: { id: 'created_at', desc: true }, filters: {} };

function LastEvents({ contact }: { contact: string }) {
  const hasLog = useCapability(listContactChanges);
  const events = useEvents(contact, LAST);
  const { rows, receipts, changes } = useStory(contact, events, LAST, hasLog);
  const { query } = events;
  return (
    <section aria-labelledby="last-events" className={classes.last}>
      <h3 id="last-events">Last events</h3>
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {changes.isError && <ErrorAlert error={changes.error} onRetry={() => void changes.refetch()} />}
      {rows?.length === 0 && <p className="soft">No events yet.</p>}
      {!query.isError && rows?.length !== 0 && (
        <StoryDays
          rows={rows}
          receipts={receipts.data?.data ?? []}
          perPage={LAST.perPage}
          newestFirst
          isStale={false}
          isFetching={query.isFetching}
        />
      )}
    </section>
  );
}
