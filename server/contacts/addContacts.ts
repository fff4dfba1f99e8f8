import { randomUUIDv7 } from 'node:crypto';
import { type Attributes, UUID } from '#contract/values/field.ts';
import { newWriteMark } from '../database/changeLog/writeMark.ts';
import { insertOwnRows } from '../database/insertRows.ts';
import { lookUp } from '../database/lookUp.ts';
import type { NewRow, Scope } from '../database/scope.ts';
import type { SearchTexts } from '../database/search/searchContacts.ts';
import type { IndexedChanges } from './attributeIndex/values.ts';
import { attributeColumns } from './contactRow.ts';
import { InvalidAttributesError } from './contactErrors.ts';
import { findErasedIdentities, findErasedUuids } from './identities/erasedIdentities.ts';
import { digitsIn, findMalformedEmail } from './identities/findNamed.ts';
import { findOtherPhones } from './identities/identities.ts';
import {
  addressForms,
  canonicalAddress,
  digitsColumn,
  identitiesOf,
  IDENTITY_KINDS,
  type Identity,
  nameOf,
} from './identities/identity.ts';
import { mergeAttributes } from './mergeAttributes.ts';
import {
  type ImportedSuppression,
  NOT_SUPPRESSED,
  type SuppressionCounts,
  type SuppressionRow,
} from './suppressions.ts';

/** A contact to import; times are milliseconds. */
export type ImportedContact = {
  uuid?: string;
  subscribed?: boolean;
  attributes: Attributes;
  created_at?: number;
  updated_at?: number;
  /** Of one that isn't subscribed. */
  suppression?: ImportedSuppression;
};

/**
 * With its attributes as they are stored, its identities, which no contact has, and whether it has a line of its own in the log. One
 * that isn't subscribed has one, which says why.
 */
export type AddedContact = {
  contact: ImportedContact;
  attributes: Attributes;
  identities: readonly Identity[];
  isLogged?: true;
  suppressed?: SuppressionRow | null;
};

/** The UUIDs of contacts that were written, and what they leave to be written to the indexes and to be counted. */
export type WrittenContacts = {
  texts: SearchTexts;
  uuids: string[];
  suppressed: SuppressionCounts;
  values: IndexedChanges;
  /** The column of the workspace, once it is known. */
  attributeIndexes?: string;
};

/** Adds contacts with a few statements for all of them. */
export async function addContacts(
  scope: Scope,
  contacts: readonly AddedContact[],
  written: WrittenContacts,
  now: number,
): Promise<void> {
  if (contacts.length === 0) return;
  const { texts, uuids, values } = written;
  const subscribed = contacts.filter(({ contact }) => contact.subscribed ?? true).length;
  const { next_contact_id, attribute_indexes } = await scope
    .update('workspace_heads')
    .set(({ eb }) => ({
      next_contact_id: eb('next_contact_id', '+', contacts.length),
      contact_count: eb('contact_count', '+', contacts.length),
      subscribed_count: eb('subscribed_count', '+', subscribed),
      search_mark: newWriteMark(),
    }))
    .returning(['next_contact_id', 'attribute_indexes'])
    .executeTakeFirstOrThrow();
  written.attributeIndexes = attribute_indexes;
  const first = next_contact_id - contacts.length;
  // In the order of their emails neighbours in two of the indexes are written together.
  const sorted = contacts
    .map((one) => ({ ...one, columns: attributeColumns(one.attributes, scope.workspace.identity_field) }))
    .toSorted((one, other) => compare(one.columns.email_key, other.columns.email_key));
  const identities: NewRow<'identities'>[] = [];
  const rows = sorted.map(({ contact, attributes, columns, identities: own, isLogged, suppressed }, index) => {
    const id = first + index;
    texts.set(id, columns.search_key);
    values.set(id, { before: {}, after: attributes });
    for (const identity of own) identities.push({ ...identity, contact_id: id, digits: digitsColumn(identity) });
    const created_at = contact.created_at ?? now;
    return {
      id,
      uuid: (contact.uuid ?? randomUUIDv7()).toLowerCase(),
      subscribed: Number(contact.subscribed ?? true),
      created_at,
      updated_at: contact.updated_at ?? created_at,
      change_count: Number(isLogged ?? false),
      ...columns,
      ...(suppressed ?? NOT_SUPPRESSED),
    };
  });
  for (const { uuid } of rows) uuids.push(uuid);
  await insertOwnRows(scope, 'contacts', rows);
  await insertOwnRows(scope, 'identities', identities);
}

/** The id of the stored contact that an imported one names, null where there is none, and what it is named by (`namesOf`). */
export type KnownContact = { id: number | null; names: readonly string[] };

/** Valid contacts to import: those added together, and for each other one, the stored contact it names. */
type SortedContacts = {
  unknown: Map<ImportedContact, AddedContact>;
  known: Map<ImportedContact, KnownContact>;
};

/**
 * Contacts can be added together that are valid, of nobody who was erased, and that share no UUID or identity with another contact, stored
 * or among `contacts`.
 */
export async function sortContacts(scope: Scope, contacts: readonly ImportedContact[]): Promise<SortedContacts> {
  const valid = contacts.flatMap((contact) => {
    const one = toNewContact(scope, contact);
    return one === null ? [] : { ...one, names: namesOf(one) };
  });
  const ids = await findOwners(scope, valid);
  const taken = await findErasedNames(scope, valid);
  for (const name of await findGrouped(scope, valid, ids)) taken.add(name);
  const varied = new Set(await findVaried(scope, valid));
  for (const name of varied) taken.add(name);

  const seen = new Set<string>();
  for (const name of valid.flatMap(({ names }) => names)) {
    if (seen.has(name)) taken.add(name);
    seen.add(name);
  }
  const sorted: SortedContacts = { unknown: new Map(), known: new Map() };
  for (const one of valid) {
    const { contact, names } = one;
    if (names.some((name) => taken.has(name) || ids.has(name))) {
      // With a UUID, identities don't decide which contact is meant.
      const naming = contact.uuid === undefined ? names : [contact.uuid.toLowerCase()];
      const isVaried = naming.some((name) => varied.has(name));
      const id = isVaried ? null : (ids.get(naming.find((name) => ids.has(name)) ?? '') ?? null);
      sorted.known.set(contact, { id, names });
    } else {
      sorted.unknown.set(contact, one);
    }
  }
  return sorted;
}

/** The ids of the stored contacts by their names. */
async function findOwners(scope: Scope, contacts: readonly AddedContact[]): Promise<Map<string, number>> {
  const uuids = contacts.flatMap(({ contact }) => contact.uuid?.toLowerCase() ?? []);
  const ids = await lookUp<string, number>(scope, { table: 'contacts', fixed: {}, key: 'uuid' }, 'id', uuids);
  for (const kind of IDENTITY_KINDS) {
    const keys = contacts.flatMap(({ identities }) => identities.flatMap((one) => (one.kind === kind ? one.key : [])));
    const place = { table: 'identities', fixed: { kind }, key: 'key' } as const;
    const owners = await lookUp<string, number>(scope, place, 'contact_id', keys);
    for (const [key, id] of owners) ids.set(nameOf({ kind, key }), id);
  }
  return ids;
}

/** Names of phone numbers that stored contacts have in another grouping. Which one is meant is decided for each alone. */
async function findGrouped(
  scope: Scope,
  contacts: readonly AddedContact[],
  owners: ReadonlyMap<string, number>,
): Promise<string[]> {
  const open = contacts.filter(({ identities }) => !identities.some((one) => owners.has(nameOf(one))));
  const digits = open.flatMap(({ contact, identities }) =>
    contact.uuid === undefined ? (digitsIn(identities) ?? []) : [],
  );
  return Array.from(await findOtherPhones(scope, digits, NOBODY), nameOfDigits);
}

/** Names of addresses that stored contacts have in another form. Which one is meant is decided for each alone. */
async function findVaried(scope: Scope, contacts: readonly AddedContact[]): Promise<string[]> {
  const emails = contacts.flatMap(({ identities }) => identities.filter(({ kind }) => kind === 'email'));
  const formsOf = new Map(
    emails.flatMap((email) => {
      const forms = addressForms(email.key)?.filter((key) => key !== email.key);
      return forms === undefined ? [] : [[nameOf(email), forms] as const];
    }),
  );
  const place = { table: 'identities', fixed: { kind: 'email' }, key: 'key' } as const;
  const owners = await lookUp<string, number>(scope, place, 'contact_id', [...formsOf.values()].flat());
  return [...formsOf].flatMap(([name, forms]) => (forms.some((key) => owners.has(key)) ? [name] : []));
}

/** The id of no contact. */
const NOBODY = 0;

/** Names of those who were erased. */
async function findErasedNames(scope: Scope, contacts: readonly AddedContact[]): Promise<Set<string>> {
  const all = contacts.flatMap(({ identities }) => identities);
  const erased = await findErasedIdentities(
    scope,
    all.map(({ key }) => key),
  );
  const uuids = contacts.flatMap(({ contact }) => contact.uuid?.toLowerCase() ?? []);
  const names = all.filter(({ key }) => erased.has(key)).map(nameOf);
  return new Set([...names, ...(await findErasedUuids(scope, uuids))]);
}

const compare = (one: string, other: string) => Number(one > other) - Number(one < other);

/** What no two contacts share: identities in the order in which they are tried, and the UUID; the digits of the phone number, and the address in ASCII. */
function namesOf({ contact, identities }: AddedContact): string[] {
  const names = identities.map(nameOf);
  const digits = digitsIn(identities);
  if (digits !== null) names.push(nameOfDigits(digits));
  for (const { kind, key } of identities) {
    const canonical = kind === 'email' ? canonicalAddress(key) : key;
    if (canonical !== key) names.push(nameOf({ kind, key: canonical }));
  }
  if (contact.uuid !== undefined) names.push(contact.uuid.toLowerCase());
  return names;
}

/** No UUID or identity has this form. */
const nameOfDigits = (digits: string) => `digits ${digits}`;

/** Null where the contact cannot be added. */
function toNewContact(scope: Scope, contact: ImportedContact): AddedContact | null {
  if (contact.uuid !== undefined && !UUID.test(contact.uuid)) return null;
  if (findMalformedEmail(contact, null) !== null) return null;
  try {
    const attributes = mergeAttributes(scope.workspace, {}, contact.attributes);
    const identities = identitiesOf(attributes, scope.workspace.identity_field);
    return contact.uuid === undefined && identities.length === 0 ? null : { contact, attributes, identities };
  } catch (error) {
    if (error instanceof InvalidAttributesError) return null;
    throw error;
  }
}
