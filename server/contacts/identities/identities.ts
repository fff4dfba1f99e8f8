import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { Scope, ScopedId } from '../../database/scope.ts';
import { findValues, lookUp } from '../../database/lookUp.ts';
import { defineScopedStatement } from '../../database/statement.ts';
import { IdentityTakenError, InvalidAttributesError } from '../contactErrors.ts';
import { STORED_COLUMNS, type StoredContact } from '../contactRow.ts';
import { findErasureErrors } from './erasedIdentities.ts';
import {
  type Identity,
  identitiesOf,
  identityField,
  IDENTITY_KINDS,
  type IdentityKind,
  addressForms,
  digitsColumn,
  parseContactReference,
  toPhoneDigits,
} from './identity.ts';

/** The contact that `value` names: a UUID if it has that form, else the first kind of identity that matches. */
export async function findContactRow(scope: Scope, value: string): Promise<StoredContact | null> {
  const keys = toContactLookupKeys(value);
  return keys && ((await contactRow(scope, ...keys))[0] ?? null);
}

/** The keys by which `value` may name a contact, for `selectContactByKeys`; null when it can name none. */
export function toContactLookupKeys(value: string): ContactLookupKeys | null {
  // PostgreSQL rejects a NUL character even in a parameter.
  if (value.includes('\u0000')) return null;
  const reference = parseContactReference(value);
  if ('uuid' in reference) return [reference.uuid];
  const { email, phone, custom } = reference.keys;
  const digits = toPhoneDigits(value);
  if (digits !== null) return [email, phone, custom, digits];
  return [email, phone, custom, ...(addressForms(value) ?? [])];
}

/**
 * After the three, the digits of what may be a phone number, or the other forms of an address, and only where there are any: PostgreSQL
 * prepares to run every part of a statement, also those it never runs.
 */
export type ContactLookupKeys = [uuid: string] | [email: string, phone: string, custom: string, ...others: string[]];

/**
 * SQL for the row of the contact, if there is one. Keys after the first that matches are not looked up. The last are what may be written
 * otherwise where it is stored, a phone number or an address, and name nobody if several contacts have them.
 */
export function selectContactByKeys<Row = StoredContact>(
  columns: RawBuilder<unknown>,
  workspaceId: ScopedId,
  ...keys: ContactLookupKeys
): RawBuilder<Row> {
  const contacts = sql`select ${columns} from contacts where workspace_id = ${workspaceId}`;
  if (keys.length === 1) return sql<Row>`${contacts} and uuid = ${keys[0]}`;
  const owners = IDENTITY_KINDS.map(
    (kind, index) => sql`
      (select contact_id from identities where workspace_id = ${workspaceId} and kind = ${sql.lit(kind)} and key = ${keys[index]})`,
  );
  const [digits, ...forms] = keys.slice(3);
  const only = sql`select case when min(contact_id) = max(contact_id) then min(contact_id) end`;
  if (digits !== undefined && forms.length > 0) {
    owners.push(sql`
    (${only} from identities
      where workspace_id = ${workspaceId} and kind = 'email' and key in (${sql.join([digits, ...forms])}))`);
  } else if (digits !== undefined) {
    owners.push(sql`
    (${only} from (
      select contact_id from identities where workspace_id = ${workspaceId} and kind = 'phone' and key = ${digits}
      union all select contact_id from identities where workspace_id = ${workspaceId} and digits = ${digits}
    ) as phones)`);
  }
  // In a subquery: behind row-level security PostgreSQL would not look up the value of `coalesce` in an index.
  return sql<Row>`${contacts} and id = (select coalesce(${sql.join(owners)}))`;
}

const contactRow = defineScopedStatement((workspaceId: ScopedId, ...keys: ContactLookupKeys) =>
  selectContactByKeys(sql.raw(STORED_COLUMNS.join(', ')), workspaceId, ...keys),
);
const contactIds = defineScopedStatement((workspaceId: ScopedId, ...keys: ContactLookupKeys) =>
  selectContactByKeys<ContactIds>(sql`id, uuid`, workspaceId, ...keys),
);

export type ContactIds = { id: number; uuid: string };

/**
 * Like `findContactRow`, for many values with a few statements, and for one with one, as for each phone number that is not stored as it is
 * written. Values without a contact are left out.
 */
export async function findContacts(scope: Scope, values: ReadonlySet<string>): Promise<Map<string, ContactIds>> {
  const [first] = values;
  if (first !== undefined && values.size === 1) return findEach(scope, values);
  const ids = await findContactIds(scope, values);
  const contacts = { table: 'contacts', fixed: {}, key: 'id' } as const;
  const uuids = await lookUp<number, string>(scope, contacts, 'uuid', ids.values());
  return new Map(Array.from(ids, ([value, id]) => [value, { id, uuid: must(uuids.get(id)) }]));
}

/** `findContacts` for the ids only. */
export async function findContactIds(scope: Scope, values: ReadonlySet<string>): Promise<Map<string, number>> {
  const uuids = new Map<string, string>();
  const keys = new Map<string, Record<IdentityKind, string>>();
  for (const value of values) {
    if (value.includes('\u0000')) continue;
    const reference = parseContactReference(value);
    if ('uuid' in reference) uuids.set(value, reference.uuid);
    else keys.set(value, reference.keys);
  }

  const found = new Map<string, number>();
  const idOf = await lookUp<string, number>(scope, { table: 'contacts', fixed: {}, key: 'uuid' }, 'id', uuids.values());
  for (const [value, uuid] of uuids) {
    const id = idOf.get(uuid);
    if (id !== undefined) found.set(value, id);
  }

  const owners = new Map<string, number>();
  for (const kind of IDENTITY_KINDS) {
    const open = [...keys].filter(([value]) => !owners.has(value));
    const identities = { table: 'identities', fixed: { kind }, key: 'key' } as const;
    const ownerOfKey = await lookUp<string, number>(
      scope,
      identities,
      'contact_id',
      open.map(([, key]) => key[kind]),
    );
    for (const [value, key] of open) {
      const id = ownerOfKey.get(key[kind]);
      if (id !== undefined) owners.set(value, id);
    }
  }
  for (const [value, id] of owners) found.set(value, id);
  const varied = [...keys.keys()].filter((value) => !owners.has(value) && isVaried(value));
  for (const [value, { id }] of await findEach(scope, varied)) found.set(value, id);
  return found;
}

/** Whether what it names may be stored written otherwise. */
const isVaried = (value: string) => toPhoneDigits(value) !== null || addressForms(value) !== null;

async function findEach(scope: Scope, values: Iterable<string>): Promise<Map<string, ContactIds>> {
  const found = new Map<string, ContactIds>();
  for (const value of values) {
    const keys = toContactLookupKeys(value);
    const [ids] = keys === null ? [] : await contactIds(scope, ...keys);
    if (ids !== undefined) found.set(value, ids);
  }
  return found;
}

/** The id of the contact that has `identity`, or null. */
export async function findIdentityOwner(scope: Scope, identity: Identity): Promise<number | null> {
  const row = await scope
    .select('identities')
    .select('contact_id')
    .where('kind', '=', identity.kind)
    .where('key', '=', identity.key)
    .executeTakeFirst();
  return row?.contact_id ?? null;
}

/** The ids of the contacts that have the address of `identity` in another form. */
export async function findOtherForms(scope: Scope, { kind, key }: Identity): Promise<number[]> {
  const forms = kind === 'email' ? addressForms(key) : null;
  if (forms === null) return [];
  const others = forms.filter((form) => form !== key);
  const owners = await lookUp<string, number>(scope, EMAILS, 'contact_id', others);
  return [...new Set(owners.values())];
}

const EMAILS = { table: 'identities', fixed: { kind: 'email' }, key: 'key' } as const;

/** Those of `identities` that no contact has. */
export async function withoutOwned(scope: Scope, identities: readonly Identity[]): Promise<Identity[]> {
  const free: Identity[] = [];
  for (const [kind, ofKind] of Map.groupBy(identities, (identity) => identity.kind)) {
    const keys = ofKind.map(({ key }) => key);
    const owned = await lookUp<string, number>(
      scope,
      { table: 'identities', fixed: { kind }, key: 'key' },
      'contact_id',
      keys,
    );
    free.push(...ofKind.filter(({ key }) => !owned.has(key)));
  }
  return free;
}

/** Those of `digits` (`toPhoneDigits`) that are the phone number of another contact than `contactId`. */
export async function findOtherPhones(
  scope: Scope,
  digits: readonly string[],
  contactId: number,
): Promise<ReadonlySet<string>> {
  // Not `exists`: PostgreSQL may then read all phone numbers, to look the few up among them.
  const isOwned = (column: 'key' | 'digits') => sql<SqlBool>`(
    select 1 from identities
    where workspace_id = ${scope.id} and kind = 'phone' and ${sql.ref(column)} = wanted.value and contact_id <> ${contactId}
    limit 1) is not null`;
  return findValues(scope, digits, sql<SqlBool>`${isOwned('key')} or ${isOwned('digits')}`);
}

/**
 * What changes when the attributes of the contact, null if it is new, become `after`. Throws `IdentityTakenError`, and `InvalidAttributesError` for identities of people
 * who were erased; writes nothing.
 */
export async function planIdentityChange(
  scope: Scope,
  contactId: number | null,
  before: Attributes,
  after: Attributes,
): Promise<{ removed: Identity[]; added: Identity[] }> {
  const old = identitiesOf(before, scope.workspace.identity_field);
  const current = identitiesOf(after, scope.workspace.identity_field);
  const added = current.filter((identity) => !old.some((other) => isSame(identity, other)));
  for (const identity of added) {
    const owners = [await findIdentityOwner(scope, identity), ...(await findOtherForms(scope, identity))];
    if (owners.some((id) => id !== null && id !== contactId)) {
      throw new IdentityTakenError(`attributes.${must(identityField(identity.kind, scope.workspace.identity_field))}`);
    }
  }
  const errors = await findErasureErrors(scope, added);
  if (errors.length > 0) throw new InvalidAttributesError(errors);
  return { removed: old.filter((identity) => !current.some((other) => isSame(identity, other))), added };
}

/** Writes what `planIdentityChange` gave, in the same transaction. */
export async function writeIdentities(
  scope: Scope,
  contactId: number,
  { removed, added }: { removed: Identity[]; added: Identity[] },
): Promise<void> {
  for (const { kind, key } of removed) {
    await scope.delete('identities').where('kind', '=', kind).where('key', '=', key).execute();
  }
  if (added.length === 0) return;
  await scope
    .insert(
      'identities',
      added.map((identity) => ({
        ...identity,
        workspace_id: scope.workspace.id,
        contact_id: contactId,
        digits: digitsColumn(identity),
      })),
    )
    .execute();
}

function isSame(one: Identity, other: Identity): boolean {
  return one.kind === other.kind && one.key === other.key;
}
