import { useQuery } from '@tanstack/react-query';
import { getRetention } from '#contract/retention.ts';
import { apiQuery } from '../api/apiQuery.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { useCapability } from '../session/useSession.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { localDate, parseTime } from '../ui/format/time.ts';

type Props = { of: 'contact' | 'log' };

/** Says before what time rows were deleted because of their age; nothing if none were. */
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
  const said = sentences.filter(Boolean).join(' ');
  return said === '' ? null : <p className="soft">{said}</p>;
}

/** The service deletes whole days (UTC). */
function dayOf(time: string | null | undefined): string | null {
  const at = parseTime(time ?? null);
  return at && localDate(at, 'UTC');
}
