import { isCustomId, isIdName } from '../identity/customIds.ts';
import { decodeEntities } from '../identity/parse/entities.ts';
import { findIdentities, guessIdentities, identityKey, NOTHING } from '../identity/parse/findIdentities.ts';
import { type IdentityField, type ParsedIdentity, parseIdentity } from '../identity/parse/parseIdentity.ts';
import { findAttempts } from './findAttempts.ts';
import { isListHeading } from './headings.ts';
import { createPause } from './pause.ts';
import {
  BROKEN,
  DATE,
  describeText,
  hasWords,
  IN_MESSAGE,
  isFullName,
  MAY_BE_ID,
  NOT_WHOLE,
  type Piece,
  readWhole,
  stripMarker,
} from './piece.ts';
import { isKnownLine, isNameLine } from './requests.ts';

/** Groups of four, whose digits would be read as a phone number. */
const IBAN = /\b[A-Z]{2}\d{2}(?: [\dA-Z]{4}){2,7}(?: [\dA-Z]{1,3})?\b/g;
const QUERY = /[?&][\w.-]{1,30}=(?=[^\s@=&]{1,64}(?:@|%40))/g;

export type Line = { text: string; line: number; source: string | null };

const SHOWN_MAX = 200;

/** UAX #14: word processors write these. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

export const toLines = (text: string, source: string | null = null): Line[] =>
  decodeEntities(text)
    .split(LINE_END)
    .map((line, index) => ({ text: line, line: index + 1, source }));

/** `noted`: a list with lines of text that only a person understands. */
export type TextReading = { form: 'list' | 'noted' | 'message'; pieces: Piece[] };

/** Lines of text that are quoted. */
const QUOTED_MAX = 3;

/**
 * A text is a list if each piece is a single identity or has no words. With lines of text it remains one if each is known to say no more
 * than that; otherwise all begin unselected. With more sentences than identities it's a message.
 */
export async function readLines(lines: readonly Line[], identityField: IdentityField): Promise<TextReading> {
  const first = lines.findIndex(({ text }) => text.trim() !== '');
  const heading = lines[first]?.text ?? '';
  const isHeading = isListHeading(heading, identityField);
  const isOwnId = isHeading && isIdName(heading, identityField);
  const listed = settleIds(await readPieces(isHeading ? lines.slice(first + 1) : lines, identityField, isOwnId));
  if (!listed.some((each) => each.isDoubtful)) return { form: 'list', pieces: listed.map(({ piece }) => piece) };
  const rows = toRows(listed);
  const unknown = findUnknown(rows);
  const seen = new Set<string>();
  const readText = (row: Row, reason: string) => readTextRow(row, identityField, reason, seen);
  if (unknown.length === 0) return { form: 'list', pieces: readSigned(rows, (row) => readText(row, IN_SENTENCE)) };
  const sentences = listed.filter(({ piece }) => !piece.reading.ok && /\s/.test(piece.text)).length;
  if (sentences > listed.filter(({ piece }) => isNamed(piece)).length) {
    const found = await findNamed(lines, identityField);
    if (found.length > 0) return { form: 'message', pieces: found };
  }
  const reason = describeText(unknown);
  if (countNamed(rows) === 0) return { form: 'message', pieces: rows.flatMap((row) => readText(row, IN_MESSAGE)) };
  const pieces = rows.flatMap((row) => (row.isText ? readText(row, IN_SENTENCE) : leaveOut(row.pieces, reason)));
  return { form: 'noted', pieces };
}

/** The first lines of text that may be about the list. */
function findUnknown(rows: readonly Row[]): string[] {
  const texts = rows.filter(({ isText }) => isText);
  const unknown: string[] = [];
  for (const [index, { line, pieces }] of texts.entries()) {
    const isLast = index === texts.length - 1 && index > 0 && isNameLine(line.text);
    if (!isLast && (pieces.some(isNamed) || !isKnownLine(line.text))) unknown.push(line.text.trim());
    if (unknown.length === QUOTED_MAX) break;
  }
  return unknown;
}

/** `isDoubtful`: it has words, which may be about others. */
type Listed = { from: Line; piece: Piece; isDoubtful: boolean };
/** The pieces of a line. `isText`: one of them has words. */
type Row = { line: Line; pieces: Piece[]; isText: boolean };

const toRows = (listed: readonly Listed[]): Row[] =>
  [...Map.groupBy(listed, ({ from }) => from)].map(([line, row]) => ({
    line,
    pieces: row.map(({ piece }) => piece),
    isText: row.some(({ isDoubtful }) => isDoubtful),
  }));

const isNamed = ({ reading, leftOut }: Piece) => reading.ok && leftOut !== MAY_BE_ID;
/** Identities outside lines of text. */
const countNamed = (rows: readonly Row[]) =>
  rows.reduce((sum, { pieces, isText }) => sum + (isText ? 0 : pieces.filter(isNamed).length), 0);

const IN_SENTENCE = 'Mentioned in a line of text';
const SIGNS = 'May be a signature: below the last line of text';
/** Lines of a signature. */
const SIGNATURE_MAX = 3;

/** Asks about the end of the list where it may be a signature. */
function readSigned(rows: readonly Row[], readText: (row: Row) => Piece[]): Piece[] {
  const end = rows.findLastIndex(({ isText }) => isText);
  const below = countNamed(rows.slice(end));
  const isSigned =
    (below <= SIGNATURE_MAX && below < countNamed(rows.slice(0, end))) || !isKnownLine(rows[end]?.line.text ?? '');
  return rows.flatMap((row, index) =>
    row.isText ? readText(row) : leaveOut(row.pieces, index > end && isSigned ? SIGNS : null),
  );
}

const leaveOut = (pieces: readonly Piece[], reason: string | null): Piece[] =>
  pieces.map((piece) => (piece.reading.ok ? { ...piece, leftOut: piece.leftOut ?? reason } : piece));

/** The identities of a line of text; the line if it has none. */
function readTextRow(
  { line, pieces, isText }: Row,
  identityField: IdentityField,
  reason: string,
  seen: Set<string>,
): Piece[] {
  if (!isText || pieces.some(({ reading }) => reading.ok))
    return leaveOut(pieces, reason).flatMap((piece) => {
      const found = piece.reading.ok ? [] : nameIn(piece, identityField, seen, reason);
      return found.length > 0 ? found : [piece];
    });
  const found = nameIn(line, identityField, seen, reason);
  const text = line.text.trim().slice(0, SHOWN_MAX);
  return found.length > 0 ? found : [{ ...line, text, reading: { ok: false, fault: NOTHING }, leftOut: null }];
}

async function readPieces(lines: readonly Line[], identityField: IdentityField, isOwnId: boolean): Promise<Listed[]> {
  const listed: Listed[] = [];
  const pause = createPause();
  let above = '';
  for (const from of lines) {
    const { text, line, source } = from;
    const isMailboxes = text.includes(';') || /^(?:to|cc|bcc):/i.test(text);
    const isQuoted = /^\s*>/.test(text);
    const pieces = splitLine(stripMarker(text, identityField)).map((piece) => {
      const whole = readWhole(piece, identityField, isOwnId);
      const isNameAlone = isMailboxes && isFullName(whole.text);
      return { from, piece: { line, source, ...whole }, isDoubtful: isQuoted || (hasWords(whole) && !isNameAlone) };
    });
    const joined = pieces.length > 0 && !SENTENCE_END.test(above) ? joinBroken(above, text) : null;
    if (joined !== null) addBothReadings(listed, pieces, readWhole(joined, identityField, isOwnId));
    for (const piece of pieces) listed.push(piece);
    if (pieces.length > 0) above = text;
    await pause();
  }
  return listed;
}

/** Shows both readings of a broken address: joined, and the parts that are identities. */
function addBothReadings(listed: Listed[], pieces: Listed[], { text, reading }: ReturnType<typeof readWhole>) {
  const [last] = listed.slice(-1);
  const [next] = pieces;
  if (!reading.ok || last === undefined || next === undefined) return;
  const isIdentity = ({ piece }: Listed) => piece.reading.ok && piece.reading.kind !== 'custom';
  const doubt = (each: Listed): Listed => {
    const part = isIdentity(each) ? each.piece.reading : NOT_WHOLE;
    return { ...each, piece: { ...each.piece, reading: part, leftOut: BROKEN }, isDoubtful: false };
  };
  const whole: Listed = { ...last, piece: { ...last.piece, text, reading, leftOut: BROKEN }, isDoubtful: false };
  if (!isIdentity(last)) {
    listed.splice(-1, 1, whole);
    pieces[0] = doubt(next);
  } else {
    listed.splice(-1, 1, doubt(last));
    if (isIdentity(next)) pieces.unshift(whole);
    else pieces[0] = whole;
  }
}

/** Short numbers and words are IDs if the list has nothing else. Otherwise a word belongs to a message. */
function settleIds(listed: Listed[]): Listed[] {
  const isOfIds = listed.every(({ piece: { reading }, isDoubtful }) =>
    reading.ok ? reading.kind === 'custom' : !isDoubtful,
  );
  return listed.map((each) => {
    const { piece } = each;
    if (!piece.reading.ok || piece.reading.kind !== 'custom') return each;
    if (piece.leftOut !== MAY_BE_ID) return each;
    if (isOfIds) return { ...each, piece: { ...piece, leftOut: null } };
    if (isCustomId(piece.text) || /^\d+$/.test(piece.text)) return each;
    return { ...each, piece: { ...piece, reading: NOT_WHOLE, leftOut: null }, isDoubtful: !/\d/.test(piece.text) };
  });
}

/** Identities in the lines of a message, with their sentence, and what looks like one. */
export async function findNamed(lines: readonly Line[], identityField: IdentityField): Promise<Piece[]> {
  const pieces: Piece[] = [];
  const pause = createPause();
  const seen = new Set<string>();
  let above = '';
  for (const line of lines) {
    const joined = joinBroken(above, line.text);
    if (joined !== null) pieces.push(...nameIn({ ...line, text: joined }, identityField, seen, BROKEN));
    pieces.push(...nameIn(line, identityField, seen, IN_MESSAGE));
    if (line.text.trim() !== '') above = line.text;
    await pause();
  }
  return pieces;
}

/** A contact may have one without a dot only where it stands alone. */
const ADDRESS = /^(?:"[^"]+"|[^\s@]+)@[^\s.:]+[.:]\S+$/;

/** `seen`: what looked like an identity before, which is shown once. */
function nameIn({ text, line, source }: Line, identityField: IdentityField, seen: Set<string>, leftOut: string) {
  const sentence = text.trim().slice(0, SHOWN_MAX);
  const found = new Map<string, Piece>();
  const add = (key: string, written: string, reading: ParsedIdentity) => {
    const piece = written.slice(0, SHOWN_MAX);
    const shown = piece === sentence ? piece : `${piece} (in “${sentence}”)`;
    if (!found.has(key)) found.set(key, { line, source, text: shown, reading, leftOut: reading.ok ? leftOut : null });
  };
  const plain = text.replaceAll(QUERY, ' ').replaceAll(IBAN, ' ');
  const matches = [...findIdentities(plain, identityField, false), ...guessIdentities(plain, identityField)]
    .map((match) => ({ text: match.text, reading: withoutWords(match.reading, identityField) }))
    .filter(isShown);
  for (const match of matches) {
    add(match.reading.ok ? identityKey(match.reading) : match.text, match.text, match.reading);
  }
  const shown = matches.map((match) => match.text);
  for (const { text: attempt, fault } of findAttempts(plain, shown)) {
    if (!seen.has(attempt)) add(attempt, attempt, { ok: false, fault });
    seen.add(attempt);
  }
  return [...found.values()];
}

function isShown({ reading, text }: { reading: ParsedIdentity; text: string }): boolean {
  if (!reading.ok) return reading.fault !== NOTHING;
  if (reading.kind === 'email') return ADDRESS.test(reading.values[0] ?? '');
  return reading.kind !== 'custom' || isCustomId(text) || (/\d{4}/.test(text) && !DATE.test(text));
}

function withoutWords(reading: ParsedIdentity, identityField: IdentityField): ParsedIdentity {
  if (!reading.ok || reading.kind !== 'email') return reading;
  const [first = '', unnamed] = reading.values;
  return /^[^"\s]+\s/.test(first) && unnamed !== undefined ? parseIdentity(unnamed, identityField) : reading;
}

/** `Thanks.`, `for the call.` */
const SENTENCE_END = /(?:^\s*\p{Lu}\p{Ll}+|\p{L}\s\p{L}+)\.\s*$/u;
const END_MAX = 300;
const MARGIN = /^[>\s]*/;

const isPart = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** An address that may be broken by a line end: ask. */
function joinBroken(above: string, below: string): string | null {
  const start = /(?<![^\s,;|()])[^\s,;|()]*$/.exec(above.slice(-END_MAX).trimEnd())?.[0] ?? '';
  const end = /^[^\s,;|()]*/.exec(below.replace(MARGIN, '').slice(0, END_MAX))?.[0] ?? '';
  // A bullet, or the mark of a signature, is no rest.
  if (!isPart(start) || !isPart(end) || /^\d+\.$/.test(start)) return null;
  const joined = start.replace(/=$/, '') + end;
  if (!/^<?[^@<>]+@[^@<>]+\.[^@<>]+>?$/.test(joined)) return null;
  const areAlone = above.trim() === start && below.trim() === end;
  const isOpen = /[._+=-]$/.test(start) || /^[._+=-]/.test(end) || (areAlone && end.startsWith('@'));
  if (!start.includes('@')) return isOpen && end.includes('@') ? joined : null;
  if (/^\p{Lu}\p{Ll}/u.test(end)) return null;
  const [, domain = ''] = start.split('@');
  const isUnfinished = !domain.includes('.') || (start.startsWith('<') && !start.endsWith('>'));
  return (isOpen || isUnfinished) && /^[\p{L}\p{N}.-]+>?$/u.test(end) ? joined : null;
}

const WITH_COMMAS = /^\d[\d.,]*(?:E\+?\d+)?$/i;
/** `Doe, Jane <jane@example.com>` in Outlook. */
const LAST_NAME_FIRST = /^\s*\p{Lu}[^,<>@"]{0,60},\s[^,<>@"]{1,60}<[^<>\s]+>\s*$/u;

/** Splits at commas, semicolons, tabs and bars outside quotes and angle brackets, in linear time. */
export function splitLine(line: string): string[] {
  const parts = splitAt(line, ';\t|');
  return parts
    .flatMap((part) =>
      WITH_COMMAS.test(part.trim()) || (parts.length > 1 && LAST_NAME_FIRST.test(part)) ? [part] : splitAt(part, ','),
    )
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

function splitAt(text: string, separators: string): string[] {
  const parts: string[] = [];
  const isUnclosed = { '"': false, '>': false };
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (separators.includes(sign)) {
      parts.push(text.slice(start, at));
      start = at + 1;
    } else if (sign === '"' || sign === '<') {
      const close = sign === '<' ? '>' : '"';
      const end = isUnclosed[close] ? -1 : text.indexOf(close, at + 1);
      if (end < 0) isUnclosed[close] = true;
      else at = end;
    }
  }
  return [...parts, text.slice(start)];
}
