import type { ReadableOverview } from '#contract/overview.ts';
import { hasVisibleText } from '#contract/values/invisibleCharacters.ts';
import { describeActor, describeChange } from '../identity/describeChange.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { shortDateTime } from '../ui/format/sentenceTime.ts';
import { useTimeZone } from '../ui/format/time.ts';
import { DateTime } from '../ui/values/DateTime.tsx';
import { EndCut } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import classes from './OverviewPage.module.css';

type Group = ReadableOverview['changes'][number];

/** What belongs together is one line: a list, or what somebody did on a day. `visit` is when somebody was here before. */
export function LastChanges({ overview, visit }: { overview: ReadableOverview; visit: string | null }) {
  'use no memo'; // It renders rarely, and the first page has to be small.
  const zone = useTimeZone();
  const { changes, has_more_changes } = overview;
  return (
    <section className={classes.wide} aria-labelledby="changes">
      <h2 id="changes">
        {visit === null ? 'Recent changes' : `Since you were here, ${shortDateTime(new Date(visit), zone)}`}
      </h2>
      {changes.length === 0 ? (
        <p className="soft">{visit === null ? 'No changes recorded yet.' : 'No contact has changed.'}</p>
      ) : (
        <table className={classes.changes} aria-labelledby="changes">
          <thead>
            <tr>
              <th scope="col">Contact</th>
              <th scope="col">Change</th>
              <th scope="col">By</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody data-rows>
            {changes.map((group) => (
              <tr key={JSON.stringify([group.last_at, group.actor, group.action, group.run])}>
                <th scope="row">
                  <Link to={linkOf(group)}>
                    <EndCut text={describeWho(group)} />
                  </Link>
                </th>
                <td>
                  <EndCut
                    text={describeChange(group) + (group.run !== null && group.contact === null ? ' in one list' : '')}
                  />
                </td>
                <td>
                  <EndCut text={describeActor(group.actor)} />
                </td>
                <td>
                  <DateTime value={group.last_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(has_more_changes || changes.length === 0) && (
        <p>
          <Link to={paths.activity}>Older changes</Link>
        </p>
      )}
    </section>
  );
}

function linkOf({ contact, run, actor }: Group): string {
  if (contact !== null) return paths.contact(contact.uuid);
  return run === null ? paths.activityOf(actor.uuid ?? actor.kind) : paths.activityOfRun(run);
}

function describeWho({ contact, contacts }: Group): string {
  if (contact === null) return `${formatCount(contacts)} people`;
  const { uuid, name, address } = contact;
  return [name, address].find((text) => text !== null && hasVisibleText(text)) ?? uuid;
}
