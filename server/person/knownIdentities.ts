import { sql } from 'kysely';
import type { FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/field.ts';
import type { StoredContact } from '../contacts/contactRow.ts';
import { findIdentityOwner } from '../contacts/identities.ts';
import { foldIdentity, type Identity, identitiesOf, identityField, IDENTITY_KINDS } from '../contacts/identity.ts';
import { iteratePages } from '../database/iteratePages.ts';
import type { Scope } from '../database/scope.ts';

/** A change may have 1.6 MB. */
const CHANGES_AT_ONCE = 20;

/** The identities of a contact: those that it has, and those that it had, as the log says, and nobody else has now. */
export type KnownIdentities = { current: Identity[]; past: Identity[] };

export async function readIdentities(scope: Scope, row: StoredContact): Promise<KnownIdentities> {
  const { identity_field: customField } = scope.workspace;
  const current = identitiesOf(JSON.parse(row.attributes) as Attributes, customField);
  const known = new Set(current.map(nameOf));
  const past: Identity[] = [];
  for await (const { changes } of readChanges(scope, row.uuid)) {
    for (const identity of identitiesIn(JSON.parse(changes) as FieldChange[], customField)) {
      if (known.has(nameOf(identity))) continue;
      known.add(nameOf(identity));
      if ((await findIdentityOwner(scope, identity)) === null) past.push(identity);
    }
  }
  return { current, past };
}

const nameOf = ({ kind, key }: Identity) => `${kind} ${key}`;

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

function readChanges(scope: Scope, contactUuid: string): AsyncGenerator<{ number: number; changes: string }> {
  return iteratePages<{ number: number; changes: string }>((last) =>
    scope.run(sql<{ number: number; changes: string }>`
      select changes.number as number, change_values.changes as changes
      from changes join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and contact_uuid = ${contactUuid} and contact_number is not null
        and changes.number > ${last?.number ?? 0}
      order by changes.number limit ${sql.lit(CHANGES_AT_ONCE)}`),
  );
}
