import { sql } from 'kysely';
import type { FieldError } from '#contract/list.ts';
import type { NewContact } from '#contract/ingest.ts';
import type { Attributes } from '#contract/values/field.ts';
import { must } from '#contract/values/must.ts';
import type { Scope, ScopedId } from '../../database/scope.ts';
import { defineScopedStatement } from '../../database/statement.ts';
import type { Workspace } from '../../database/workspace.ts';
import { InvalidAttributesError } from '../contactErrors.ts';
import { STORED_COLUMNS, type StoredContact } from '../contactRow.ts';
import { findErasureErrors } from './erasedIdentities.ts';
import { findContactRow, findIdentityOwner, findOtherForms } from './identities.ts';
import { findAddressError } from './addressForm.ts';
import {
  canonicalAddress,
  foldIdentity,
  type Identity,
  identitiesOf,
  identityField,
  type IdentityKind,
  toPhoneDigits,
} from './identity.ts';

// Who is meant by a line of an import, or by a contact that is to be created.

type Named = Pick<NewContact, 'uuid' | 'attributes'>;

/**
 * The contact with its UUID if it has one, else with its first identity that a contact has, of an address in any form, else with its phone
 * number in another grouping. Null if nobody is meant; throws `InvalidAttributesError` if several have that number or other forms of the
 * address, or if it's that of an erased person.
 */
export async function findNamed(scope: Scope, { uuid, attributes }: Named): Promise<StoredContact | null> {
  if (uuid !== undefined) return findContactRow(scope, uuid);
  const identities = identitiesOf(attributes, scope.workspace.identity_field);
  for (const identity of identities) {
    const owner = (await findIdentityOwner(scope, identity)) ?? (await findOnlyForm(scope, identity));
    if (owner !== null) return readRow(scope, owner);
  }
  const digits = digitsIn(identities);
  if (digits === null) return null;
  const { count, first } = must((await selectByDigits(scope, digits))[0]);
  if (count === 0) return null;
  // As it is written, the number may be that of an erased person.
  const erased = await findErasureErrors(scope, identities);
  if (erased.length > 0) throw new InvalidAttributesError(erased);
  if (count > 1) {
    // An email or ID that nobody has is somebody else's.
    if (identities.length > 1) return null;
    const message = `${count} contacts have this phone number, written otherwise. To change one, give its uuid.`;
    throw new InvalidAttributesError([{ field: 'attributes.phone', message }]);
  }
  const row = first === null ? null : await readRow(scope, first);
  return row === null || sharesOnlyPhone(scope.workspace, row, attributes) ? null : row;
}

/** The contact that has the address in another form. */
async function findOnlyForm(scope: Scope, identity: Identity): Promise<number | null> {
  const [first = null, ...others] = await findOtherForms(scope, identity);
  if (others.length === 0) return first;
  const message = `${others.length + 1} contacts have this address, written otherwise. To change one, give its uuid.`;
  throw new InvalidAttributesError([{ field: 'attributes.email', message }]);
}

const readRow = (scope: Scope, id: number): Promise<StoredContact> =>
  scope.select('contacts').select(STORED_COLUMNS).where('id', '=', id).executeTakeFirstOrThrow();

/** Of the phone number among `identities`; null without an international one. */
export function digitsIn(identities: readonly Identity[]): string | null {
  const phone = identities.find(({ kind }) => kind === 'phone');
  return phone === undefined ? null : toPhoneDigits(phone.key);
}

const selectByDigits = defineScopedStatement(
  (id: ScopedId, digits: string) => sql<{ count: number; first: number | null }>`
    select count(distinct contact_id) as count, min(contact_id) as first from (
      select contact_id from identities where workspace_id = ${id} and kind = 'phone' and key = ${digits}
      union all select contact_id from identities where workspace_id = ${id} and digits = ${digits}
    ) as phones`,
);

/** The field of the first attribute by which `contact` is the one of `row`; `uuid` where it is given. */
export function findSharedField(workspace: Workspace, row: StoredContact, { uuid, attributes }: Named): string {
  if (uuid !== undefined) return 'uuid';
  const stored = keysOf(workspace, attributesOf(row));
  const shared = identitiesOf(attributes, workspace.identity_field).find(
    ({ kind, key }) => stored[kind] === toComparable(kind, key),
  );
  return `attributes.${must(identityField(shared?.kind ?? 'phone', workspace.identity_field))}`;
}

/**
 * Whether an imported contact shares only the phone with an existing one that has another email or ID. Several people may have the
 * same phone, as in a family or a company. Merging would turn one person into the other, and lose an unsubscribe.
 */
export function sharesOnlyPhone(workspace: Workspace, row: StoredContact, imported: Attributes): boolean {
  const existing = keysOf(workspace, attributesOf(row));
  const others = Object.entries(keysOf(workspace, imported)).filter(([kind]) => kind !== 'phone');
  const isShared = ([kind, key]: [string, string]) => existing[kind as IdentityKind] === key;
  return !others.some(isShared) && others.some(([kind]) => existing[kind as IdentityKind] !== undefined);
}

/** Whether it shares only the custom ID with one that has another email: that may be new, or the ID stand for none, such as 0. */
export function sharesOnlyId(workspace: Workspace, row: StoredContact, imported: Attributes): boolean {
  const [existing, given] = [keysOf(workspace, attributesOf(row)), keysOf(workspace, imported)];
  const isSame = (kind: IdentityKind) => given[kind] !== undefined && existing[kind] === given[kind];
  const hasOtherEmail = given.email !== undefined && existing.email !== undefined && !isSame('email');
  return hasOtherEmail && isSame('custom') && !isSame('phone');
}

/** Of an imported contact without UUID: its email would be a new one, and hardly is an address. */
export function findMalformedEmail({ uuid, attributes }: Named, row: StoredContact | null): FieldError | null {
  const { email } = attributes;
  if (uuid !== undefined || typeof email !== 'string') return null;
  const known = row && attributesOf(row)['email'];
  if (typeof known === 'string' && toComparable('email', known) === toComparable('email', email)) return null;
  const error = findAddressError(email);
  return error === null ? null : { field: 'attributes.email', message: `email ${error}` };
}

const attributesOf = ({ attributes }: StoredContact) => JSON.parse(attributes) as Attributes;

const keysOf = ({ identity_field }: Workspace, attributes: Attributes): Partial<Record<IdentityKind, string>> =>
  Object.fromEntries(identitiesOf(attributes, identity_field).map(({ kind, key }) => [kind, toComparable(kind, key)]));

const toComparable = (kind: IdentityKind, value: string): string =>
  kind === 'email' ? canonicalAddress(foldIdentity(kind, value)) : value;
