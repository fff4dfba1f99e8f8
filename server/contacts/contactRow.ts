import type { Selectable } from 'kysely';
import type { Contact, ContactWithProvider } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import { toAsciiAddress, toUnicodeAddress } from '#contract/values/internationalDomain.ts';
import { isObject, parseJson } from '#contract/values/json.ts';
import { foldSearch, foldText, searchKey, sortKey } from '../database/search/textSearch.ts';
import type { FoldedColumns } from '../database/schema/derived.ts';
import type { Tables } from '../database/schema/tables.ts';
import { timestamp } from '../database/timestamp.ts';
import { toSearchedDigits } from './identities/identity.ts';
import { mailboxProvider } from './identities/mailboxProvider.ts';
import { SUPPRESSION_COLUMNS } from './suppressions.ts';

export const CONTACT_COLUMNS = ['uuid', 'subscribed', 'attributes', 'created_at', 'updated_at'] as const;

type ContactColumns<Name extends keyof Tables['contacts']> = Pick<Selectable<Tables['contacts']>, Name>;
export type ContactRow = ContactColumns<(typeof CONTACT_COLUMNS)[number]>;
/** The columns of a contact that is changed: also those that its places in the lists depend on. */
export const STORED_COLUMNS = [
  'id',
  ...CONTACT_COLUMNS,
  'change_count',
  'email_key',
  'first_name_key',
  'last_name_key',
  'company_key',
  ...SUPPRESSION_COLUMNS,
] as const;
export type StoredContact = ContactColumns<(typeof STORED_COLUMNS)[number]>;

/** The contact in a row, as the interface has it. */
export function contactOf(row: ContactRow): Contact {
  return {
    uuid: row.uuid,
    subscribed: row.subscribed === 1,
    attributes: JSON.parse(row.attributes) as Attributes,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** The contact with the mailbox provider of its email (docs/interface.md, 4.2). */
export function withProvider(contact: Contact): ContactWithProvider {
  return { ...contact, provider: mailboxProvider(contact.attributes['email']) };
}

/** Columns by which contacts are sorted and searched. */
const KEY_COLUMNS = ['email_key', 'first_name_key', 'last_name_key', 'company_key', 'search_key'] as const;

const SEARCHED = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];

/** The columns that are written whenever attributes are. */
export function attributeColumns(attributes: Attributes, customField: string | null) {
  const key = (field: string) => foldText(textOf(attributes[field]));
  const searched = customField === null ? SEARCHED : [...SEARCHED, customField];
  const texts = searched.map((field) => searchKey(key(field)));
  const spellings = [otherSpelling(key('email').trim()), toSearchedDigits(textOf(attributes['phone']))];
  return {
    attributes: JSON.stringify(attributes),
    email_key: sortKey(key('email')),
    first_name_key: sortKey(key('first_name')),
    last_name_key: sortKey(key('last_name')),
    company_key: sortKey(key('company')),
    search_key: foldSearch([...texts, ...spellings.filter((spelling) => spelling !== null)].join('\n')),
  };
}

export const CONTACT_KEYS: FoldedColumns = {
  table: 'contacts',
  columns: KEY_COLUMNS,
  from: ['attributes', 'uuid'],
  fold: ({ workspace }, rows) =>
    rows.map((row) => {
      const attributes = parseAttributes(String(row['attributes']));
      return attributes && attributeColumns(attributes, workspace.identity_field);
    }),
};

export const EVENT_NAME_KEYS: FoldedColumns = {
  table: 'event_names',
  columns: ['name_key'],
  from: ['event_name'],
  fold: (_, rows) => rows.map(({ event_name }) => ({ name_key: foldSearch(String(event_name)) })),
};

/** The address with its domain in the other of two ways to write it; null where there is only one. */
function otherSpelling(address: string): string | null {
  return [toAsciiAddress(address), toUnicodeAddress(address)].find((spelling) => spelling !== address) ?? null;
}

/** Parses the column `attributes`; null for text that the service never writes. */
export function parseAttributes(text: string): Attributes | null {
  const attributes = parseJson(text);
  return isObject(attributes) ? (attributes as Attributes) : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
