import type { ReadableOverview } from '#contract/overview.ts';
import { hasVisibleText } from '#contract/values/invisibleCharacters.ts';
import { describeActor, describeChange } from '../identity/describeChange.ts';
import { DateTime } from '../ui/values/DateTime.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import classes from './OverviewPage.module.css';

type Change = ReadableOverview['changes'][number];

export function LastChanges({ changes }: { changes: readonly Change[] }) {
  return (
    <section className={classes.section} aria-labelledby="changes">
      <h2 id="changes">Recent changes</h2>
      {changes.length === 0 ? (
        <p className="soft">No changes recorded yet.</p>
      ) : (
        <table className={classes.changes}>
          <thead>
            <tr>
              <th scope="col">Contact</th>
              <th scope="col">Change</th>
              <th scope="col">By</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody data-rows>
            {changes.map((change) => (
              <tr key={change.uuid}>
                <td>
                  <Link to={paths.contact(change.contact.uuid)}>
                    <UntrustedText text={nameOf(change.contact)} />
                  </Link>
                </td>
                <td>
                  <UntrustedText text={describeChange(change)} />
                </td>
                <td>
                  <UntrustedText text={describeActor(change.actor)} />
                </td>
                <td>
                  <DateTime value={change.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function nameOf({ uuid, name, address }: Change['contact']): string {
  return [name, address].find((text) => text !== null && hasVisibleText(text)) ?? uuid;
}
