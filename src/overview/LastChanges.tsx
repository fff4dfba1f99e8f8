import { Link } from 'react-router';
import { hasVisibleText } from '#contract/invisibleCharacters.ts';
import type { ReadableOverview } from '#contract/overview.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { paths } from '../url/paths.ts';
import classes from './OverviewPage.module.css';

type Change = ReadableOverview['changes'][number];

const SUBSCRIBED = 'subscribed';
const ACTIONS: Readonly<Record<string, string>> = {
  update: 'Changed',
  import: 'Changed',
  unsubscribe: 'Unsubscribed',
  subscribe: 'Subscribed again',
};

/** Field names that are told before "and 3 more". */
const FIELDS = 3;

type Props = { changes: readonly Change[] | undefined; isReading: boolean };

/** The last changes of contacts: whose, what, with which token and when. */
export function LastChanges({ changes, isReading }: Props) {
  return (
    <section className={classes.section} aria-labelledby="changes">
      <h2 id="changes">Last changes</h2>
      {changes?.length === 0 ? (
        <p className="soft">No changes recorded yet.</p>
      ) : (
        <div className={classes.list}>
          <table className={classes.changes} aria-busy={changes === undefined && isReading}>
            <thead>
              <tr>
                <th scope="col">Contact</th>
                <th scope="col">Change</th>
                <th scope="col">With the token</th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody data-rows>
              {changes?.map((change) => (
                <tr key={change.uuid}>
                  <td>
                    <Link to={paths.contact(change.contact.uuid)}>
                      <UntrustedText text={nameOf(change.contact)} />
                    </Link>
                  </td>
                  <td>
                    <UntrustedText text={describeChange(change)} />
                  </td>
                  <td>{change.token_name === null ? 'Import' : <UntrustedText text={change.token_name} />}</td>
                  <td>
                    <DateTime value={change.created_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function nameOf({ uuid, name, address }: Change['contact']): string {
  return [name, address].find((text) => text !== null && hasVisibleText(text)) ?? uuid;
}

/** "Unsubscribed", "Changed plan, seats and 2 more"; what is unknown, as the service calls it. */
function describeChange({ action, fields }: Change): string {
  const names = fields.filter((field) => field !== SUBSCRIBED).map((field) => field.replace(/^attributes\./, ''));
  const more = names.length - FIELDS;
  const changed = names.slice(0, FIELDS).join(', ') + (more > 0 ? ` and ${more} more` : '');
  // Only an import changes both at once.
  if (action === 'import' && fields.includes(SUBSCRIBED))
    return names.length === 0 ? 'Unsubscribed' : `Unsubscribed, changed ${changed}`;
  return `${ACTIONS[action] ?? action} ${changed}`.trim();
}
