import { must } from '#contract/values/must.ts';
import { toAsciiAddress } from '#contract/values/internationalDomain.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { decodeEntities } from './entities.ts';
import { findCustomIds, isCustomId, stripIdName } from '../customIds.ts';
import { ADDRESS_TOKEN, type FoundPiece, readAddressToken } from './findAddresses.ts';
import { findNumbers } from './findNumbers.ts';
import { isPhone } from './phoneNumber.ts';
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

/** `isDoubtful`: one of several readings; ask. */
export type IdentityMatch = { text: string; reading: ParsedIdentity; isDoubtful?: true };

/** Characters of a line, which is searched without a pause. */
const LINE_MAX = 200_000;
const SHOWN_MAX = 200;
const UUID = /\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32})\b/;
/** Between digits of a phone number. After a slash, a zero begins another one. */
const GAP = String.raw`(?:\.| ?(?:/(?! ?0)|[\u2010-\u2015\u2212-]) ?| {1,2})?`;
/** A phone number with country code, to its last digit. Digits after letters belong to an ID. */
const PHONE = new RegExp(
  String.raw`(?:\((?:\+|00)[1-9]\d{0,3}\)|(?:\+|(?<![\p{L}\p{N}_][-\u2010-\u2015]?)00)[1-9])(?:${GAP}(?:\(\d{1,5}\)(?=${GAP}\d)|\d)){6,}`,
  'u',
);
/** The number continues. A full stop ends a sentence, and after a slash `00` begins another number. */
const GOES_ON = /^(?!\. | ?\/ ?00)[ ./()·•~_*\u2010-\u2015\u2212-]{1,6}\d/u;
const ENDLESS = 'Couldn’t tell where this number ends. Put it on its own line.';
const IDENTITY = new RegExp(`(?<address>${ADDRESS_TOKEN})|${UUID.source}|(?<phone>${PHONE.source})`, 'giu');
/** After a phone number or a UUID and a separator. */
const TOKEN_BEHIND = new RegExp(`^(?:${ADDRESS_TOKEN})`, 'u');
const TOKEN_MAX = 400;
/** An address as the display name of another (RFC 5322, 3.4). */
const NAMED_AS_ADDRESS =
  /(?<![\p{L}\d])(?:"[^"@]{1,100}@[^"@]{1,200}"|'[^'@]{1,100}@[^'@]{1,200}'|“[^“”@]{1,100}@[^”@]{1,200}”)\s?(?=<[^<>\s@]+@[^<>\s@]+>)/gu;
/** A missing value in a spreadsheet. */
const PLACEHOLDER = /^(?:#?n\/?a!?|#\S+[!?]|-+|\.+|null|none|nil|undefined|total|sum|e-?mails?|phones?|uuids?|ids?)$/i;
const SEVERAL_NUMBERS = 'This may be one number or several. Write each without a comma, on its own line.';
const WITH_COMMAS = /^\d+,\d{1,2}$|^\d{1,3}(?:,\d{3})+$/;
/** `4.47911E+11`: shortened by a spreadsheet. */
const SHORTENED = /(?<![\p{L}\d])\d+(?:[.,]\d+E\+?|E\+)\d+(?![\p{L}\d])/iu;
const EVERY_SHORTENED = new RegExp(SHORTENED, 'giu');
const DIGITS_LOST = 'A spreadsheet shortened this number. Show all its digits there.';
export const NOTHING = 'No email, phone number, UUID or other identity found.';
/** Longer text around an address isn't a display name. */
const MAILBOX_MAX = 120;

/**
 * All identities in a line; a line without one gives a single unreadable match. `isColumn`: each line is one value, so a word may be a
 * custom identity. `isOwnId`: it certainly is one, not a phone number.
 */
export function findIdentities(
  line: string,
  identityField: IdentityField,
  isColumn: boolean,
  isOwnId = false,
): IdentityMatch[] {
  const original = stripBullet(line.trim());
  if (original === '') return [];
  if (original.length > LINE_MAX) {
    const fault = `This line is longer than ${formatCount(LINE_MAX)} characters. Put one contact on each line.`;
    return [{ text: original.slice(0, SHOWN_MAX), reading: { ok: false, fault } }];
  }
  const read = (piece: string, isOwn = isOwnId): IdentityMatch => ({
    text: piece,
    reading: parseIdentity(piece, identityField, isOwn),
  });
  const linked = readContactLink(original);
  if (linked !== null) {
    const match = read(linked);
    if (isLikely(match, identityField, isColumn, isOwnId)) return [{ ...match, text: original }];
  }
  const text = decodeNotation(original).replaceAll(NAMED_AS_ADDRESS, '');
  if (text.length <= MAILBOX_MAX && !text.includes('@')) {
    const whole = read(text);
    // A part of it may look like a shorter number.
    if (whole.reading.ok && whole.reading.kind === 'phone') return [{ ...whole, text: original }];
  }
  const found = findPieces(text, isOwnId);
  const [only] = found;

  if (found.length <= 1 && text.length <= MAILBOX_MAX && text.includes('@') && only?.isDoubtful === undefined) {
    const { reading } = read(text);
    const address = only?.fault === undefined ? only?.text.toLowerCase() : undefined;
    // A quoted local part may contain spaces, so the whole line is tried first. If it differs from the token, the token is right.
    const agrees =
      only?.fault === undefined &&
      (address === undefined || (reading.ok && reading.values.includes(address) && !isSentence(text)));
    if (reading.ok && reading.kind === 'email' && agrees) return [{ text: original, reading }];
  }
  if (found.length > 0) {
    return found.map(({ text: piece, fault, isDoubtful }) => ({
      ...(fault === undefined ? read(piece) : { text: piece, reading: { ok: false, fault } }),
      ...(isDoubtful && { isDoubtful }),
    }));
  }
  // Split at its comma, it would be other numbers.
  if (SHORTENED.test(text)) return [{ text: original, reading: { ok: false, fault: DIGITS_LOST } }];
  const whole = readValue(text, isOwnId);
  if (WITH_COMMAS.test(whole.text)) {
    const { reading } = read(whole.text, whole.isOwn);
    const isRead = reading.ok && !reading.values.includes(whole.text);
    return [{ text: original, reading: isRead ? reading : { ok: false, fault: SEVERAL_NUMBERS } }];
  }
  const values = text.length > 1000 ? [] : text.split(/[,;\t|]/).map((value) => readValue(value.trim(), isOwnId));
  const pieces = values
    .filter((value) => value.text !== '')
    .flatMap((value) => splitCustomIds(value.text).map((piece) => read(piece, value.isOwn)));
  if (pieces.length > 0 && pieces.every((piece) => isLikely(piece, identityField, isColumn, isOwnId))) return pieces;
  return [{ text: original, reading: { ok: false, fault: NOTHING } }];
}

/** Words that may be custom identities by their form or a name before them: ask. `areNamed`: only those with a name. */
export function guessIdentities(line: string, identityField: IdentityField, areNamed = false): IdentityMatch[] {
  if (identityField === null || line.length > LINE_MAX || !/\d/.test(line)) return [];
  return findCustomIds(withoutIdentities(line), areNamed).flatMap((id): IdentityMatch[] => {
    const reading = parseIdentity(id, identityField, true);
    return reading.ok ? [{ text: id, reading }] : [];
  });
}

/** Phone numbers without country code in a sentence. `isDoubtful`: neither its form nor a word says so. */
export function findLocalNumbers(line: string, identityField: IdentityField): IdentityMatch[] {
  if (line.length > LINE_MAX || !/\d/.test(line)) return [];
  return findNumbers(withoutIdentities(line)).map(({ text, label, isPhone }) => {
    const reading = parseIdentity(label + text, identityField);
    const isCertain = isPhone && reading.ok && reading.kind === 'phone';
    return isCertain ? { text, reading } : { text, reading: parseIdentity(text, identityField), isDoubtful: true };
  });
}

/** What is left of a line. */
const withoutIdentities = (line: string) =>
  decodeNotation(line.replaceAll(/https?:\/\/\S+/gi, ' '))
    .replaceAll(IDENTITY, '; ')
    .replaceAll(EVERY_SHORTENED, '; ');

/** Without the name of an ID before it. */
function readValue(text: string, isOwnId: boolean): { text: string; isOwn: boolean } {
  const unnamed = stripIdName(text);
  return { text: unnamed, isOwn: isOwnId || unnamed !== text };
}

/** `C-1001 C-1002` as two. */
function splitCustomIds(text: string): string[] {
  if (!text.includes(' ')) return [text];
  const words = text.split(/\s+/);
  return words.length > 1 && words.every(isCustomId) ? words : [text];
}

/** Equal for identities of the same contact. */
export function identityKey({ kind, values }: Identity): string {
  if (kind === 'email') return `email ${toAsciiAddress(must(values[0]))}`;
  if (kind === 'uuid') return `uuid ${values[0]}`;
  const number = kind === 'phone' ? values.find((value) => /^\+\d+$/.test(value)) : undefined;
  const last = values.at(-1) ?? '';
  // Digits alone are looked up the same way.
  return `${/^\d+$/.test(last) ? 'phone' : kind} ${number ?? last}`;
}

function findPieces(text: string, isOwnId: boolean): FoundPiece[] {
  const found: FoundPiece[] = [];
  for (const match of text.matchAll(IDENTITY)) {
    const { index, groups } = match;
    const [piece] = match;
    if (groups?.address !== undefined) {
      found.push(...readAddressToken(piece));
      continue;
    }
    // An address after a slash may begin with digits.
    const slash = piece.lastIndexOf('/');
    const isCut = slash > 0 && findBehind(text, index + slash).length > 0;
    const end = index + (isCut ? slash : piece.length);
    if (groups?.phone === undefined) found.push({ text: piece });
    else if (!isOwnId) found.push(readNumber(text.slice(index, end), isCut ? '' : text.slice(end, end + 10)));
    found.push(...findBehind(text, end));
  }
  return found;
}

/** Unreadable if it continues in `rest` or is too long. */
function readNumber(written: string, rest: string): FoundPiece {
  const text = written.slice(0, SHOWN_MAX).replace(/^\((\+|00)(\d+)\)/, '$1$2');
  const isWhole = isPhone(text) && !GOES_ON.test(rest);
  return isWhole ? { text } : { text, fault: ENDLESS };
}

/** Addresses at `start`, after a phone number or a UUID. */
function findBehind(text: string, start: number): FoundPiece[] {
  if (!/[/|]/.test(text.charAt(start))) return [];
  const token = TOKEN_BEHIND.exec(text.slice(start, start + TOKEN_MAX))?.[0];
  return token === undefined ? [] : readAddressToken(token);
}

/** Without full-width and invisible characters, and escapes of HTML, links and programs. */
function decodeNotation(text: string): string {
  const visible = readSpelledAt(toUsualWidth(removeInvisible(text)));
  // Most lines have no escapes.
  if (!/[&%:\\]/.test(visible)) return visible;
  return decodeEntities(visible)
    .replaceAll(/\\+(['’]?)/g, (run: string, quote: string) => (quote === '' ? run : quote))
    .replaceAll(/(?<=mailto:)[^\s"'<>|?]+/gi, decodeEscapes)
    .replaceAll(/https?:\/\/\S+/gi, (link) =>
      link
        .split(/[/?&=#]/)
        .map(decodeEscapes)
        .join(' '),
    )
    .replaceAll(/\S+/g, (word) => (word.includes('%40') ? decodeEscapes(word).replaceAll('%40', '@') : word));
}

/** NFKC, except that an acute accent, typed as an apostrophe, would become a space. */
const toUsualWidth = (text: string): string =>
  text
    .split('´')
    .map((part) => part.normalize('NFKC'))
    .join('´');

/** Words around an address that aren't a display name: three before it, or on both sides. */
const isSentence = (text: string) =>
  !text.includes('<') && (/\S\s+\S+\s+\S+\s+\S*@/.test(text) || /\S\s+[^\s@]*@\S+\s+\S/.test(text));

/** By its form alone. */
function isLikely(
  { text, reading }: IdentityMatch,
  identityField: IdentityField,
  isColumn: boolean,
  isOwnId: boolean,
): boolean {
  if (!reading.ok || PLACEHOLDER.test(text)) return false;
  if (reading.kind !== 'custom') return true;
  if (identityField === null || text.length > 100) return false;
  // Spaces belong to a sentence or several values, except in the digits of a single ID.
  if (/\s/.test(text) && !(isOwnId && /^[\d\s+().-]+$/.test(text))) return false;
  return /\d/.test(text) || (isColumn && identityField !== undefined);
}
