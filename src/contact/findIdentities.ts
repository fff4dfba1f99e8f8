import { must } from '#contract/must.ts';
import { formatCount } from '../ui/formatCount.ts';
import { findCustomIds, isCustomId, stripIdName } from './customIds.ts';
import { toAsciiAddress } from './internationalDomain.ts';
import {
  decodeEscapes,
  type Identity,
  type IdentityField,
  type ParsedIdentity,
  parseIdentity,
  readContactLink,
  readSpelledAt,
  removeInvisible,
  stripBullet,
} from './parseIdentity.ts';

/** A piece of a text, and how it reads. */
export type IdentityMatch = { text: string; reading: ParsedIdentity };

/** Characters of a line. A line is searched for identities without a pause. */
const LINE_MAX = 200_000;
/** Characters that are kept of a longer line. */
const SHOWN_MAX = 200;
const UUID = /\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32})\b/;
/** An email address within any text. Only Latin letters, because words in other scripts may stand beside it. */
const EMAIL =
  /(?:"[^"\n]{1,64}"|[\p{Script=Latin}\d+_](?:[\p{Script=Latin}\d!#$%&'*+/=?^_`{|}~.-]{0,63}))@(?:[\p{Script=Latin}\d][\p{Script=Latin}\d-]{0,62}\.){1,8}(?:xn--[a-z\d-]{2,59}|\p{Script=Latin}{2,63})/u;
/** A phone number within any text. Without a country code, digits may be anything. */
const PHONE = /\(?(?:\+|\b00)\d[\d ().-]{5,25}\d/;
const IDENTITY = new RegExp(`(?<email>${EMAIL.source})|(?<uuid>${UUID.source})|(?<phone>${PHONE.source})`, 'giu');
/** What spreadsheets write for a missing value. */
const PLACEHOLDER = /^(?:#?n\/?a!?|#\S+[!?]|-+|\.+|null|none|nil|undefined|total|sum|e-?mails?|phones?|uuids?|ids?)$/i;
export const NOTHING = 'No email, phone number, UUID or other identity was found here.';
/** Characters. A longer text around an address is not a display name. */
const MAILBOX_MAX = 120;

/**
 * All identities in a line, whatever stands around them. A line without one gives a single unreadable match. `isColumn`:
 * each line is one value, so that a word may be the identity that the workspace defines itself.
 */
export function findIdentities(line: string, identityField: IdentityField, isColumn: boolean): IdentityMatch[] {
  const original = stripBullet(line.trim());
  if (original === '') return [];
  if (original.length > LINE_MAX) {
    const fault = `This line is longer than ${formatCount(LINE_MAX)} characters: put one contact on each line.`;
    return [{ text: original.slice(0, SHOWN_MAX), reading: { ok: false, fault } }];
  }
  const read = (piece: string): IdentityMatch => ({ text: piece, reading: parseIdentity(piece, identityField) });
  const linked = readContactLink(original);
  if (linked !== null) {
    const match = read(linked);
    if (isLikely(match, identityField, isColumn)) return [{ ...match, text: original }];
  }
  const text = decodeNotation(original);
  const found = [...text.matchAll(IDENTITY)].map(([piece]) => piece.replace(/^\(\+(\d+)\)/, '+$1'));

  if (found.length <= 1 && text.length <= MAILBOX_MAX && text.includes('@')) {
    const { reading } = read(text);
    const address = found[0]?.toLowerCase();
    // One mailbox, perhaps with a display name. A quoted local part may contain blanks, so the whole line is tried first.
    // Where that finds another address than the pattern, the pattern is right.
    const agrees = address === undefined || (reading.ok && reading.values.includes(address) && !isSentence(text));
    if (reading.ok && reading.kind === 'email' && agrees) return [{ text: original, reading }];
  }
  if (found.length > 0) return found.map(read);
  const values = text.length > 1000 ? [] : text.split(/[,;\t|]/).map((value) => stripIdName(value.trim()));
  const pieces = values
    .filter((value) => value !== '')
    .flatMap(splitCustomIds)
    .map(read);
  if (pieces.length > 0 && pieces.every((piece) => isLikely(piece, identityField, isColumn))) return pieces;
  const isShortened = /^\d(?:[.,]\d+)?E\+\d+$/i.test(text);
  const fault = isShortened ? 'A spreadsheet has shortened this number: show all its digits there.' : NOTHING;
  return [{ text: original, reading: { ok: false, fault } }];
}

/**
 * The words of a line that may be identities of the workspace's own, beside what `findIdentities` finds. Only their form
 * says so, so nobody is to be changed by them without a question.
 */
export function guessIdentities(line: string, identityField: IdentityField): IdentityMatch[] {
  if (identityField === null || line.length > LINE_MAX) return [];
  const rest = decodeNotation(line.replaceAll(/https?:\/\/\S+/gi, ' ')).replaceAll(IDENTITY, ' ');
  return findCustomIds(rest).flatMap((id): IdentityMatch[] => {
    const reading = parseIdentity(id, identityField);
    // Named digits read as a phone number, which is tried as it is too.
    return reading.ok ? [{ text: id, reading }] : [];
  });
}

/** `C-1001 C-1002` as two; any other text as one. */
function splitCustomIds(text: string): string[] {
  if (!text.includes(' ')) return [text];
  const words = text.split(/\s+/);
  return words.length > 1 && words.every(isCustomId) ? words : [text];
}

/** A key that is equal for identities of the same contact. */
export function identityKey({ kind, values }: Identity): string {
  if (kind === 'email') return `email ${toAsciiAddress(must(values[0]))}`;
  if (kind === 'uuid') return `uuid ${values[0]}`;
  const number = kind === 'phone' ? values.find((value) => /^\+\d+$/.test(value)) : undefined;
  return `${kind} ${number ?? values.at(-1)}`;
}

/**
 * The text without what hides addresses in it: full-width characters, invisible ones, the escapes of HTML and of links.
 */
function decodeNotation(text: string): string {
  const visible = readSpelledAt(removeInvisible(text).normalize('NFKC'));
  // Most lines of a long list have no escapes.
  if (!/[&%:]/.test(visible)) return visible;
  return visible
    .replaceAll(/&(?:#64|#x40|commat);/gi, '@')
    .replaceAll(/&(?:#46|#x2e|period);/gi, '.')
    .replaceAll(/(?<=mailto:)[^\s"'<>|?]+/gi, decodeEscapes)
    .replaceAll('%40', '@')
    .replaceAll(/https?:\/\/\S+/gi, (link) => link.replaceAll(/[/?&=#]/g, ' '));
}

/** Whether the words around an address without angle brackets are no display name: three before it, or on both sides. */
const isSentence = (text: string) =>
  !text.includes('<') && (/\S\s+\S+\s+\S+\s+\S*@/.test(text) || /\S\s+\S*@\S+\s+\S/.test(text));

/** Whether a value is an identity, where nothing but its form says so. */
function isLikely({ text, reading }: IdentityMatch, identityField: IdentityField, isColumn: boolean): boolean {
  if (!reading.ok || PLACEHOLDER.test(text)) return false;
  if (reading.kind !== 'custom') return true;
  if (identityField === null || /\s|^\d[.,]\d+E\+/i.test(text) || text.length > 100) return false;
  return /\d/.test(text) || (isColumn && identityField !== undefined);
}
