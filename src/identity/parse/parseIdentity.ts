import { findPathSegmentError } from '#contract/openapi/endpoint.ts';
import { toAsciiAddress, toUnicodeAddress } from '#contract/values/internationalDomain.ts';
import { UUID } from '#contract/values/field.ts';
import { toPlainAddress } from './findAddresses.ts';
import { readPhone } from './phoneNumber.ts';

/** `values` are tried in turn; `as` tells the user how the text was read, `fault` why it can't be looked up. */
export type ParsedIdentity = Identity | { ok: false; fault: string };
export type Identity = { ok: true; kind: 'uuid' | 'email' | 'phone' | 'custom'; values: string[]; as: string };

/** The name of the custom identity: null if there is none, undefined if the service doesn't say. */
export type IdentityField = string | null | undefined;

/** In characters. */
const LONGEST = 1000;
/** Direction marks, soft hyphens and the like. Joiners can matter in a word. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const EDGES = /^[\s\u200c\u200d]+|(?<![\s\u200c\u200d])[\s\u200c\u200d]+$/g;
const WRAPS: Readonly<Record<string, RegExp>> = {
  '"': /^"([^"]*)"$/,
  "'": /^'([^']*)'$/,
  '`': /^`([^`]*)`$/,
  '“': /^“([^“”]*)”$/,
  '‘': /^‘([^‘’]*)’$/,
  '«': /^«([^«»]*)»$/,
  '<': /^<([^<>]*)>$/,
  '[': /^\[([^[\]]*)\]$/,
  '{': /^\{([^{}]*)\}$/,
  '(': /^\(([^()]*)\)$/,
};
/** A spreadsheet added decimals: as digits alone, it would be another number. */
const WITH_DECIMALS = /^([1-9]\d*)[.,]0{1,2}$/;
const COMPACT_UUID = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;
const CONTACT_LINK = /^https?:\/\/[^\s/]+(?:\/[^\s?#]*)?\/contacts\/([^\s/?#]+)\/?(?:[?#]\S*)?$/i;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;

export const removeInvisible = (text: string) => text.replaceAll(INVISIBLE, '');

/** A hyphen without a space may be part of the value. */
export const stripBullet = (text: string) => text.replace(/^(?:[•◦▪‣⁃·*–—-]\s+|[•◦▪‣⁃]\s*)+(?=\S)/, '');

/** `jane (at) example (dot) com`. */
export function readSpelledAt(text: string): string {
  if (!/[([{]\s?at\s?[)\]}]/i.test(text)) return text;
  return text
    .replaceAll(/\s?[([{]\s?at\s?[)\]}]\s?(?=[\p{L}\d])/giu, '@')
    .replaceAll(/\s?[([{]\s?(?:dot|punkt)\s?[)\]}]\s?(?=\p{L})/giu, '.');
}

/** The UUID or identity in a link to a contact's page. */
export function readContactLink(text: string): string | null {
  if (!text.includes('/contacts/')) return null;
  const segment = CONTACT_LINK.exec(text.trim())?.[1];
  return segment === undefined ? null : decodeEscapes(segment);
}

/** Reads one identity, perhaps with a name or punctuation around it. `isOwnId`: unless an address or a UUID, it's a custom identity. */
export function parseIdentity(text: string, identityField: IdentityField, isOwnId = false): ParsedIdentity {
  const visible = removeInvisible(text).trim();
  if (visible.length > LONGEST) return { ok: false, fault: 'This is too long to be one identity.' };
  const trimmed = readSpelledAt(stripBullet(visible.replaceAll(EDGES, '')));
  if (trimmed === '') return { ok: false, fault: 'Enter an email, phone number, ID or UUID.' };
  const reading = readVisible(trimmed, identityField, isOwnId);
  if (!reading.ok) return reading;
  const values = [...new Set(reading.values)].filter((value) => findPathSegmentError(value) === null);
  if (values.length > 0) return { ...reading, values };
  return {
    ok: false,
    fault: `This ${findPathSegmentError(reading.values[0])}, so it can’t be looked up.`,
  };
}

type Reading = ParsedIdentity & ({ values: [string, ...string[]] } | { ok: false });

function readVisible(text: string, identityField: IdentityField, isOwnId: boolean): Reading {
  const bare = stripWrapping(text);
  const linked = removeInvisible(readContactLink(bare) ?? '').trim();
  if (linked !== '') return readVisible(linked, identityField, isOwnId);
  const uuid = stripWrapping(bare.replace(/^urn:uuid:/i, ''));
  if (UUID.test(uuid)) return { ok: true, kind: 'uuid', values: [uuid.toLowerCase()], as: 'the UUID of a contact' };
  if (COMPACT_UUID.test(uuid)) {
    const whole = uuid.toLowerCase().replace(COMPACT_UUID, '$1-$2-$3-$4-$5');
    // A custom identity may have the same form.
    const exact = identityField === null ? [] : [uuid];
    return { ok: true, kind: 'uuid', values: [whole, ...exact], as: 'the UUID of a contact' };
  }

  const addresses = addressesIn(text);
  const [address] = addresses;
  if (address !== undefined) {
    const distinct = new Set(addresses.map((other) => other.toLowerCase()));
    return distinct.size > 1 || isSeveral(address)
      ? { ok: false, fault: 'These are several addresses. Look up one at a time.' }
      : readEmail(address, identityField);
  }

  const custom = describeCustom(identityField);
  const whole = WITH_DECIMALS.exec(bare)?.[1];
  const phone = isOwnId ? null : readPhone(whole ?? bare);
  if (whole !== undefined) {
    const as = `${phone === null ? custom : describePhone(identityField)}: ${whole} without its decimals`;
    return { ok: true, kind: phone === null ? 'custom' : 'phone', values: [whole], as };
  }
  // Other separators may belong to an ID.
  if (phone !== null && (phone.forms.length > 0 || phone.hasLabel)) {
    const { written, forms } = phone;
    const [compact = written] = forms;
    const also = compact === written ? '' : `; will also try ${compact}`;
    return { ok: true, kind: 'phone', values: [written, ...forms], as: `${describePhone(identityField)}${also}` };
  }
  const tidy = bare.normalize('NFKC').replaceAll(DASHES, '-');
  return { ok: true, kind: 'custom', values: [text, bare, bare.normalize('NFC'), tidy], as: custom };
}

const describePhone = (identityField: IdentityField): string =>
  `a phone number${identityField ? ` or ${describeField(identityField)}` : ''}`;

const describeCustom = (identityField: IdentityField): string =>
  identityField === null
    ? 'text that isn’t an email, phone number or UUID; this workspace has no other ID'
    : describeField(identityField);

function readEmail(address: string, identityField: IdentityField): Reading {
  const typed = address.toLowerCase();
  const folded = typed.normalize('NFC');
  // A local part may contain spaces, but a name before the address is more common.
  const unnamed = (address.startsWith('"') ? null : /(?<!\S)[^\s@]+@\S+$/.exec(folded)?.[0]) ?? folded;
  const plain = toPlainAddress(unnamed);
  const others = [...new Set([unnamed, plain])].filter((form) => form !== folded);
  const also = others.length === 0 ? '' : `; will also try ${others.join(' and ')}`;
  const forms = [...[unnamed, plain].flatMap((form) => [toAsciiAddress(form), toUnicodeAddress(form)]), typed];
  // A custom identity with an @ may be case-sensitive.
  const exact = identityField === null ? [] : [address];
  return {
    ok: true,
    kind: 'email',
    values: [folded, unnamed, plain, ...forms, ...exact],
    as: `the email ${folded}${also}`,
  };
}

/** Quotes and brackets around a value, and the comma or semicolon after it. */
function stripWrapping(text: string): string {
  const wrapped = WRAPS[text.charAt(0)]?.exec(text)?.[1];
  const bare = (wrapped ?? text.replace(/[,;]$/, '')).trim();
  return bare === text ? text : stripWrapping(bare);
}

/** Mailboxes; commas inside quotes and angle brackets don't separate them. */
const PIECES = /(?:(?<!\\)"(?:[^"\\]|\\.)*"|<[^<>]*>|[^,;\t\r\n])+/g;
const QUOTED_LOCAL_PART = /^"(?:[^"\\]|\\.)*"@\S+$/;
/** `<a@b>`, and what people write instead: `(a@b)`, `[a@b]`. */
const IN_BRACKETS = /[<([{]([^<>()[\]{}@]*@[^<>()[\]{}]*)[>)\]}]/;

function addressesIn(text: string): string[] {
  const pieces = fromMailto(text.replaceAll('＠', '@')).match(PIECES) ?? [];
  return pieces.flatMap((piece) => (piece.includes('@') ? parseMailbox(piece.trim()) : []));
}

/** `Name <a@b>`, `a@b (Name)`, `To: a@b`, `'a@b'`, `a@b.`; several if spaces separate them. */
function parseMailbox(mailbox: string): string[] {
  if (QUOTED_LOCAL_PART.test(mailbox)) return [mailbox];
  // The quoted name may contain another address.
  const unnamed = mailbox.replaceAll(/(?<!\\)"(?:[^"\\]|\\.)*"(?!@)/g, '');
  const notation = unnamed.includes('@') ? unnamed : mailbox;
  const inner = IN_BRACKETS.exec(notation)?.[1] ?? notation.replace(/\([^()]*\)\s*$/, '');
  const address = fromMailto(inner.trim().replace(/^(?!mailto:)[>\w-]*[:>]\s*/i, ''));
  if (QUOTED_LOCAL_PART.test(address)) return [address];
  const bare = stripWrapping(stripWrapping(address).replace(/^"(?=[^"]*$)|(?<!["'.>!?…,;:])["'.>!?…,;:]+$/g, ''));
  const parts = bare.split(/\s+/).filter((part) => part.includes('@'));
  const addresses = parts.length > 1 ? parts : [bare.replace(/^([^@]*@\S+)\s.*$/s, '$1')];
  return addresses.filter((value) => /[^@]@[^@]/.test(value));
}

const isSeveral = (address: string) => !address.startsWith('"') && address.indexOf('@') !== address.lastIndexOf('@');

const fromMailto = (text: string) =>
  /^mailto:/i.test(text) ? decodeEscapes(text.slice('mailto:'.length).replace(/\?.*$/s, '')) : text;

/** Invalid escapes are kept. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `customer_id` is a customer ID. */
export function describeField(identityField: string | undefined): string {
  if (identityField === undefined) return 'another ID';
  // Any other form may be known from another system.
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(identityField)) return identityField;
  return identityField.replaceAll('_', ' ').replaceAll(/\bid\b/g, 'ID');
}
