import { randomUUIDv7 } from 'node:crypto';
import { type Attributes, UUID } from '#contract/field.ts';
import { insertOwnRows } from '../database/insertRows.ts';
import { lookUp } from '../database/lookUp.ts';
import type { ContactChange } from '../database/contactParts.ts';
import type { NewRow, Scope } from '../database/scope.ts';
import type { SearchTexts } from '../database/searchContacts.ts';
import { attributeColumns } from './contactRow.ts';
import { InvalidAttributesError } from './contactErrors.ts';
import { findErasedIdentities, findErasedUuids } from './erasedIdentities.ts';
import { identitiesOf, IDENTITY_KINDS, type Identity } from './identity.ts';
import { mergeAttributes } from './mergeAttributes.ts';

/** A contact to import; times are milliseconds. */
export type ImportedContact = {
  uuid?: string;
  subscribed?: boolean;
  attributes: Attributes;
  created_at?: number;
  updated_at?: number;
};

/** With its attributes as they are stored, and its identities, which no contact has. */
type NewContact = { contact: ImportedContact; attributes: Attributes; identities: readonly Identity[] };

/** What contacts that were written leave to be written for all of them: to the search index, and to the counters of the lists. */
export type WrittenContacts = { texts: SearchTexts; listed: ContactChange[] };

/** Adds contacts with a few statements for all of them. */
export async function addContacts(
  scope: Scope,
  contacts: readonly NewContact[],
  { texts, listed }: WrittenContacts,
  now: number,
): Promise<void> {
  if (contacts.length === 0) return;
  const subscribed = contacts.filter(({ contact }) => contact.subscribed ?? true).length;
  const { next_contact_id } = await scope
    .updateOwn()
    .set(({ eb }) => ({
      next_contact_id: eb('next_contact_id', '+', contacts.length),
      contact_count: eb('contact_count', '+', contacts.length),
      subscribed_count: eb('subscribed_count', '+', subscribed),
    }))
    .returning('next_contact_id')
    .executeTakeFirstOrThrow();
  const first = next_contact_id - contacts.length;
  // In the order of their emails neighbours in two of the indexes are written together.
  const sorted = contacts
    .map((one) => ({ ...one, columns: attributeColumns(one.attributes, scope.workspace.identity_field) }))
    .toSorted((one, other) => compare(one.columns.email_key, other.columns.email_key));
  const identities: NewRow<'identities'>[] = [];
  const rows = sorted.map(({ contact, columns, identities: own }, index) => {
    const id = first + index;
    texts.set(id, columns.search_key);
    for (const { kind, key } of own) identities.push({ kind, key, contact_id: id });
    const created_at = contact.created_at ?? now;
    return {
      id,
      uuid: (contact.uuid ?? randomUUIDv7()).toLowerCase(),
      subscribed: Number(contact.subscribed ?? true),
      created_at,
      updated_at: contact.updated_at ?? created_at,
      ...columns,
    };
  });
  for (const after of rows) listed.push({ before: null, after });
  await insertOwnRows(scope, 'contacts', rows);
  await insertOwnRows(scope, 'identities', identities);
}

/**
 * Those of `contacts` that can be added together: valid, of nobody who was erased, and no contact, stored or among `contacts`, shares
 * a UUID or an identity with one of them.
 */
export async function findUnknownContacts(
  scope: Scope,
  contacts: readonly ImportedContact[],
): Promise<Map<ImportedContact, NewContact>> {
  const valid = contacts.flatMap((contact) => {
    const one = toNewContact(scope, contact);
    return one === null ? [] : { ...one, names: namesOf(one) };
  });
  const uuids = valid.flatMap(({ contact }) => contact.uuid?.toLowerCase() ?? []);
  const known = await lookUp<string, number>(scope, { table: 'contacts', fixed: {}, key: 'uuid' }, 'id', uuids);
  const taken = new Set(known.keys());
  for (const kind of IDENTITY_KINDS) {
    const keys = valid.flatMap(({ identities }) => identities.flatMap((one) => (one.kind === kind ? one.key : [])));
    const owners = await lookUp<string, number>(
      scope,
      { table: 'identities', fixed: { kind }, key: 'key' },
      'contact_id',
      keys,
    );
    for (const key of owners.keys()) taken.add(nameOf({ kind, key }));
  }
  const erased = await findErasedIdentities(
    scope,
    valid.flatMap(({ identities }) => identities),
  );
  for (const identity of erased.keys()) taken.add(nameOf(identity));
  for (const uuid of await findErasedUuids(scope, uuids)) taken.add(uuid);
  const seen = new Set<string>();
  for (const name of valid.flatMap(({ names }) => names)) {
    if (seen.has(name)) taken.add(name);
    seen.add(name);
  }
  const unknown = taken.size === 0 ? valid : valid.filter(({ names }) => !names.some((name) => taken.has(name)));
  return new Map(unknown.map((one) => [one.contact, one]));
}

const compare = (one: string, other: string) => Number(one > other) - Number(one < other);

/** What no two contacts share. */
function namesOf({ contact, identities }: NewContact): string[] {
  const names = identities.map(nameOf);
  if (contact.uuid !== undefined) names.push(contact.uuid.toLowerCase());
  return names;
}

/** No UUID has this form. */
const nameOf = ({ kind, key }: Identity) => `${kind} ${key}`;

/** Null where the contact cannot be added. */
function toNewContact(scope: Scope, contact: ImportedContact): NewContact | null {
  if (contact.uuid !== undefined && !UUID.test(contact.uuid)) return null;
  try {
    const attributes = mergeAttributes(scope.workspace, {}, contact.attributes);
    const identities = identitiesOf(attributes, scope.workspace.identity_field);
    return contact.uuid === undefined && identities.length === 0 ? null : { contact, attributes, identities };
  } catch (error) {
    if (error instanceof InvalidAttributesError) return null;
    throw error;
  }
}
