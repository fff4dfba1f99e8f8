import { UUID, type Attributes } from '#contract/values/field.ts';
import type { FieldError } from '#contract/list.ts';
import { toAsciiDomain, toUnicodeDomain } from '#contract/values/internationalDomain.ts';

// An identity is stored as a key: its value without what matching ignores. Only this file creates keys, never SQL, because
// databases differ in what they take for spaces and in letter case.

/** In the order in which they are tried. */
export const IDENTITY_KINDS = ['email', 'phone', 'custom'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

export type Identity = { kind: IdentityKind; key: string };

/** The same for the same identity, and no other. */
export const nameOf = ({ kind, key }: Identity): string => `${kind} ${key}`;

const EMAIL_MAX = 254;
/** Characters of other identities: of four bytes each, they fit the index of PostgreSQL (2,704 bytes a row). */
const KEY_MAX = 255;
/** A quoted local part may hold anything, another @ too (RFC 5322). Angle brackets anywhere else are around an address. */
const EMAIL = /^(?:"[^\p{Cc}]+"|[^@<>\p{Cc}]+)@[^@<>\p{Cc}]+$/u;

/** Without surrounding whitespace (of Unicode), and in lower case for an email (docs/interface.md, 2). */
export function foldIdentity(kind: IdentityKind, value: string): string {
  const trimmed = value.trim();
  return kind === 'email' ? trimmed.toLowerCase() : trimmed;
}

type Forms = [ascii: string, string, string, string, string, string];

/**
 * The keys of an email address that are the same by standard: its domain in ASCII (IDNA), in Unicode, and with decomposed letters, each
 * without and with the dot of the root. Null for most, which are written in one way.
 */
export function addressForms(value: string): Forms | null {
  const key = foldIdentity('email', value);
  const start = key.lastIndexOf('@') + 1;
  const domain = key.slice(start);
  const bare = domain.replace(/\.$/, '');
  const isPlain = /^[\0-\x7f]*$/.test(domain) && bare === domain && !domain.includes('xn--');
  if (start < 2 || bare === '' || isPlain) return null;
  const ascii = toAsciiDomain(bare.normalize('NFC'));
  const unicode = toUnicodeDomain(ascii);
  const local = key.slice(0, start);
  const [first, second, third] = [ascii, unicode, unicode.normalize('NFD')].map((form) => local + form) as [
    string,
    string,
    string,
  ];
  return [first, second, third, `${first}.`, `${second}.`, `${third}.`];
}

/** The same for the forms of an address. */
export const canonicalAddress = (key: string): string => addressForms(key)?.[0] ?? key;

/** What stands between the digits of a phone number; the zero in brackets is not dialled behind a country code. */
const BETWEEN_DIGITS = /\(0\)|[\s()./-]/g;
const INTERNATIONAL = /^\+\d{6,15}$/;

/** An international phone number as a + and its digits (E.164), however they are grouped; null for anything else. */
export function toPhoneDigits(value: string): string | null {
  const digits = ungroup(value);
  return INTERNATIONAL.test(digits) ? digits : null;
}

/** The digits of any phone number, by which a part of it is found however it is grouped; null where it has nothing else. */
export function toSearchedDigits(value: string): string | null {
  const digits = ungroup(value);
  return /^\+?\d+$/.test(digits) && digits !== value.trim() ? digits : null;
}

const ungroup = (number: string) => number.trim().replaceAll(BETWEEN_DIGITS, '').replace(/^00/, '+');

/** The column `digits` of an identity: null also where they are its key. */
export function digitsColumn({ kind, key }: Identity): string | null {
  const digits = kind === 'phone' ? toPhoneDigits(key) : null;
  return digits === key ? null : digits;
}

/** Name of the attribute that holds the identity of `kind`; null when the workspace has none. */
export function identityField(kind: IdentityKind, customField: string | null): string | null {
  return kind === 'custom' ? customField : kind;
}

/** A phone number or ID without any letter or digit, such as -, stands for none. */
const SIGN = /[\p{L}\p{N}]/u;

/** The identities of a contact with these attributes; `customField` is the identity field of the workspace. */
export function identitiesOf(attributes: Attributes, customField: string | null): Identity[] {
  return IDENTITY_KINDS.flatMap((kind) => {
    const value = valueOf(attributes, identityField(kind, customField));
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const key = foldIdentity(kind, String(value));
    const isSome = kind === 'email' ? key !== '' : SIGN.test(key);
    return isSome ? [{ kind, key }] : [];
  });
}

/** Why the identities in `attributes` are invalid, by field. An identity may be null or absent. */
export function validateIdentities(attributes: Attributes, customField: string | null): FieldError[] {
  return IDENTITY_KINDS.flatMap((kind) => {
    const name = identityField(kind, customField);
    const value = valueOf(attributes, name);
    if (value === undefined || value === null) return [];
    const error = findIdentityError(kind, value);
    return error === null ? [] : [{ field: `attributes.${name}`, message: `${name} ${error}` }];
  });
}

/** Inherited properties do not count: a workspace may call its identity `constructor`. */
function valueOf(attributes: Attributes, name: string | null): unknown {
  return name !== null && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

function findIdentityError(kind: IdentityKind, value: unknown): string | null {
  if (kind === 'custom' && typeof value === 'number') return null;
  if (typeof value !== 'string') return kind === 'custom' ? 'must be text, a number or null.' : 'must be text or null.';
  const key = foldIdentity(kind, value);
  if (kind === 'email') {
    if (key.length > EMAIL_MAX) return `is longer than ${EMAIL_MAX} characters.`;
    if (EMAIL.test(key)) return null;
    return key.includes('@') && key.endsWith('>')
      ? 'must be the address alone, such as jane@example.com.'
      : 'must be an email address.';
  }
  if (key.length > KEY_MAX) return `is longer than ${KEY_MAX} characters.`;
  // In a path it would be taken for the UUID of another contact.
  return UUID.test(key) ? 'cannot have the form of a UUID.' : null;
}

/** What `value` may mean where it names a contact: a UUID when it has the form of one, else an identity of each kind. */
export function parseContactReference(value: string): { uuid: string } | { keys: Record<IdentityKind, string> } {
  const trimmed = value.trim();
  if (UUID.test(trimmed)) return { uuid: trimmed.toLowerCase() };
  const key = (kind: IdentityKind) => foldIdentity(kind, value);
  return { keys: { email: key('email'), phone: key('phone'), custom: key('custom') } };
}
