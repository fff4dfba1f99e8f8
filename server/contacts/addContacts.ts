import { randomUUID } from 'node:crypto';
import { type Attributes, UUID } from '#contract/field.ts';
import { upsertRows } from '../database/insertRows.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
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

/** Adds contacts with a few statements for all of them. */
export async function addContacts(
  scope: Scope,
  contacts: readonly NewContact[],
  texts: SearchTexts,
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
  const rows = contacts.map(({ contact, attributes }, index) => {
    const created_at = contact.created_at ?? now;
    return {
      id: first + index,
      uuid: (contact.uuid ?? randomUUID()).toLowerCase(),
      subscribed: Number(contact.subscribed ?? true),
      created_at,
      updated_at: contact.updated_at ?? created_at,
      ...attributeColumns(attributes, scope.workspace.identity_field),
    };
  });
  for (const { id, search_key } of rows) texts.set(id, search_key);
  await upsertRows(scope, 'contacts', rows, '');
  const identities = contacts.flatMap((one, index) =>
    one.identities.map(({ kind, key }) => ({ kind, key, contact_id: first + index })),
  );
  await upsertRows(scope, 'identities', identities, '');
}

/**
 * Those of `contacts` that can be added together: valid, of nobody who was erased, and no contact, stored or among `contacts`, shares
 * a UUID or an identity with one of them.
 */
export async function findUnknownContacts(
  scope: Scope,
  contacts: readonly ImportedContact[],
): Promise<Map<ImportedContact, NewContact>> {
  const valid = contacts.flatMap((contact) => toNewContact(scope, contact) ?? []);
  const uuidOf = ({ contact }: NewContact) => contact.uuid?.toLowerCase();
  const known = await lookUp<string, number>(
    scope,
    { table: 'contacts', fixed: {}, key: 'uuid' },
    'id',
    valid.flatMap((one) => uuidOf(one) ?? []),
  );
  const taken = new Set<string | undefined>(known.keys());
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
  for (const uuid of await findErasedUuids(
    scope,
    valid.flatMap((one) => uuidOf(one) ?? []),
  ))
    taken.add(uuid);
  const names = (one: NewContact) => [uuidOf(one) ?? [], one.identities.map(nameOf)].flat();
  const seen = new Set<string>();
  for (const name of valid.flatMap(names)) {
    if (seen.has(name)) taken.add(name);
    seen.add(name);
  }
  return new Map(valid.filter((one) => !names(one).some((name) => taken.has(name))).map((one) => [one.contact, one]));
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
