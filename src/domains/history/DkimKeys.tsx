import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { localDate } from '../../ui/format/time.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import type { ReadReport } from '../check/latestCheck.ts';
import { shortenLabels } from '../records/shortenLabels.ts';
import classes from './History.module.css';

type Key = ReadReport['dkim_keys'][number];

/** Since when each DKIM key is published, and when an old one of a rotation may go. */
export function DkimKeys({ keys }: { keys: readonly Key[] }) {
  if (keys.length === 0) return null;
  return (
    <ul className={classes.keys} aria-label="DKIM keys">
      {keys.map((key) => (
        <li key={key.subject} title={escapeInvisible(key.subject)}>
          DKIM key <code>{escapeInvisible(shortenLabels(key.selector))}</code> <Published of={key} />
          {key.may_go_at !== null && (
            <>
              . No record lists it any more: it may go from <DateTime value={key.may_go_at} show={localDate} /> on
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function Published({ of: { published_since: since, is_older: isOlder } }: { of: Key }) {
  if (since === null) return 'isn’t published';
  return (
    <>
      is published since <DateTime value={since} show={localDate} />
      {isOlder && ' or before'}
    </>
  );
}
