import type { FieldChange } from '#contract/change.ts';
import { parseJson } from '#contract/values/json.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { StoredContact } from '../contacts/contactRow.ts';
import { withoutOwned } from '../contacts/identities/identities.ts';
import {
  foldIdentity,
  type Identity,
  identitiesOf,
  identityField,
  IDENTITY_KINDS,
  nameOf,
} from '../contacts/identities/identity.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import type { Pause } from './pauses.ts';

/** Former identities that are refused and searched for. A person has had a few. */
const PAST_MAX = 100;

/** Changes of a contact that are read at once; fewer where they have so many bytes: a change may have 1.6 MB. */
const CHANGES_AT_ONCE = 500;
const BYTES_AT_ONCE = 1024 * 1024;

/**
 * The identities of a contact: those that it has, and those that it had, as the log says, and nobody else has now. `isCut` where it had
 * so many that only the last ones are among them.
 */
export type KnownIdentities = { current: Identity[]; past: Identity[]; isCut: boolean };

/** Others come between. */
export async function readIdentities(
  workspace: Workspace,
  db: Pick<Database, 'read'>,
  row: StoredContact,
  pause: Pause,
): Promise<KnownIdentities> {
  const { identity_field: customField } = workspace;
  const current = identitiesOf(JSON.parse(row.attributes) as Attributes, customField);
  const known = new Set(current.map(nameOf));
  const past: Identity[] = [];
  for (let before = row.change_count + 1; before > 1 && past.length <= PAST_MAX;) {
    const { changes, first } = await db.read(workspace, (scope) => readChanges(scope, row.uuid, before));
    for (const text of changes) {
      for (const identity of identitiesIn((parseJson(text) ?? []) as FieldChange[], customField).toReversed()) {
        if (known.has(nameOf(identity))) continue;
        known.add(nameOf(identity));
        past.push(identity);
      }
      await pause();
    }
    before = first;
  }
  const kept = past.slice(0, PAST_MAX);
  const free = await db.read(workspace, (scope) => withoutOwned(scope, kept));
  return { current, past: free, isCut: kept.length < past.length };
}

/** The identities that were set or replaced. */
export function identitiesIn(changes: readonly FieldChange[], customField: string | null): Identity[] {
  return IDENTITY_KINDS.flatMap((kind) => {
    const field = `attributes.${identityField(kind, customField)}`;
    return changes.flatMap((change) =>
      change.field === field
        ? [change.before, change.after].flatMap((value) =>
            typeof value === 'string' || typeof value === 'number'
              ? [{ kind, key: foldIdentity(kind, String(value)) }]
              : [],
          )
        : [],
    );
  });
}

/** What the last changes of a contact before that of the place `before` say, the newest first, and the place of the first of them. */
async function readChanges(
  scope: Scope,
  contactUuid: string,
  before: number,
): Promise<{ changes: string[]; first: number }> {
  const lines = await scope
    .select('changes')
    .select(['number', 'contact_number', 'size'])
    .where('contact_uuid', '=', contactUuid)
    .where('contact_number', '<', before)
    .orderBy('contact_number', 'desc')
    .limit(CHANGES_AT_ONCE)
    .execute();
  let bytes = 0;
  const read = lines.filter(({ size }) => (bytes += size) - size < BYTES_AT_ONCE);
  const numbers = read.map(({ number }) => number);
  const values =
    numbers.length === 0
      ? []
      : await scope
          .select('change_values')
          .select('changes')
          .where('number', 'in', numbers)
          .orderBy('number', 'desc')
          .execute();
  return { changes: values.map(({ changes }) => changes), first: read.at(-1)?.contact_number ?? 1 };
}
