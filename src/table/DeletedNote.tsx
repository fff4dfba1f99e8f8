import { useQuery } from '@tanstack/react-query';
import { getRetention } from '#contract/retention.ts';
import { apiQuery } from '../api/apiQuery.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { useCapability } from '../session/useSession.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { localDate, parseTime } from '../ui/format/time.ts';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';

type Props = { of: 'contact' | 'log' };

/** Says before what time rows were deleted because of their age, and next to the log what is set for that; nothing without either. */
export function DeletedNote(props: Props) {
  return useCapability(getRetention) ? <DeletedBefore {...props} /> : null;
}

function DeletedBefore({ of }: Props) {
  const { data, error, refetch } = useQuery(apiQuery(getRetention, {}));
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const { events, log } = data.data;
  const [ofEvents, ofLog] = [dayOf(events?.deleted_before), dayOf(log?.deleted_before)];
  const kept = log?.kept ?? 0;
  const needed = kept > 0 ? `, except ${formatCount(kept)} that are still needed` : '';
  const sentences =
    of === 'log'
      ? [ofLog && `Entries before ${ofLog} were deleted${needed}.`]
      : [
          ofEvents && `Events before ${ofEvents} were deleted.`,
          ofLog &&
            `Changes before ${ofLog} were deleted, except those since the contact was last unsubscribed or subscribed again.`,
        ];
  const said = [of === 'log' && describeSetting(events?.days, log?.days), ...sentences].filter(Boolean).join(' ');
  if (said === '') return null;
  return (
    <p className="soft">
      {said}
      {of === 'log' && (
        <>
          {' '}
          <Link to={`${paths.activity}?action=retention_end`}>Runs</Link>
        </>
      )}
    </p>
  );
}

type Days = number | null | undefined;

/** Null where everything is kept. */
function describeSetting(events: Days, log: Days): string | null {
  const [ofEvents, ofLog] = [events, log].map((days) => days && `after ${formatCount(days)} days`);
  if (ofEvents) return `Events are deleted ${ofEvents}${ofLog ? `, log entries ${ofLog}` : ''}.`;
  return ofLog ? `Log entries are deleted ${ofLog}.` : null;
}

/** The service deletes whole days (UTC). */
function dayOf(time: string | null | undefined): string | null {
  const at = parseTime(time ?? null);
  return at && localDate(at, 'UTC');
}
