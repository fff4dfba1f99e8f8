import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { localDate } from '../../ui/format/time.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import type { ReadReport } from '../check/latestCheck.ts';
import { shortenLabels } from '../records/shortenLabels.ts';
import classes from './History.module.css';

/** So many are shown at once; more are folded. */
const FEW = 5;

type Key = ReadReport['dkim_keys'][number];

/** Since when each DKIM key is published, and when an old one of a rotation may go. */
export function DkimKeys({ keys }: { keys: readonly Key[] }) {
  if (keys.length === 0) return null;
  const unlisted = keys.filter(({ may_go_at }) => may_go_at !== null).length;
  return (
    <details className={classes.keys} open={keys.length <= FEW}>
      <summary>
        {keys.length === 1 ? '1 DKIM key' : `${keys.length} DKIM keys`}
        {unlisted > 0 && `, ${unlisted} no longer listed`}
      </summary>
      <ul>
        {keys.map((key) => (
          <li key={key.subject} title={escapeInvisible(key.subject)}>
            <code>{escapeInvisible(shortenLabels(key.selector))}</code> <Published of={key} />
            {key.may_go_at !== null && (
              <>
                . No record lists it any more: you can delete it from{' '}
                <DateTime value={key.may_go_at} show={localDate} /> on
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Published({ of: { published_since: since, is_older: isOlder } }: { of: Key }) {
  if (since === null) return 'isn’t published';
  return (
    <>
      has been published since <DateTime value={since} show={localDate} />
      {isOlder && ' or before'}
    </>
  );
}
