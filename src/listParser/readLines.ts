import { isCustomId, foldHeading, isIdName } from '../identity/customIds.ts';
import { decodeEntities } from '../identity/parse/entities.ts';
import { findIdentities, guessIdentities, identityKey, NOTHING } from '../identity/parse/findIdentities.ts';
import { type IdentityField, type ParsedIdentity, parseIdentity } from '../identity/parse/parseIdentity.ts';
import { isHeadingWord } from './headings.ts';
import { createPause } from './pause.ts';
import {
  BROKEN,
  DATE,
  hasWords,
  IN_MESSAGE,
  isFullName,
  MAY_BE_ID,
  NOT_WHOLE,
  type Piece,
  readWhole,
  stripMarker,
} from './piece.ts';
import { saysStay } from './stateWords.ts';

/** May be an unreadable address. */
const MAY_NAME = /[^\s/]@\S|(?<!\S)@\S+\.\p{L}/u;

const QUERY = /[?&][\w.-]{1,30}=(?=[^\s@=&]{1,64}(?:@|%40))/g;

export type Line = { text: string; line: number; source: string | null };

const SHOWN_MAX = 200;

/** UAX #14: word processors write these. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

export const toLines = (text: string, source: string | null = null): Line[] =>
  decodeEntities(text)
    .split(LINE_END)
    .map((line, index) => ({ text: line, line: index + 1, source }));

/**
 * A text is a list if each piece is a single identity or has no words, else a message. If most pieces are identities, words may exclude
 * some, so all pieces are shown unselected.
 */
export async function readLines(lines: readonly Line[], identityField: IdentityField): Promise<Piece[]> {
  const first = lines.findIndex(({ text }) => text.trim() !== '');
  const heading = lines[first]?.text ?? '';
  const isHeading = isHeadingWord(heading, identityField) && !saysStay(foldHeading(heading));
  const isOwnId = isHeading && isIdName(heading, identityField);
  const listed = settleIds(await readPieces(isHeading ? lines.slice(first + 1) : lines, identityField, isOwnId));
  const named = listed.filter(({ piece }) => piece.reading.ok && piece.leftOut !== MAY_BE_ID).length;
  if (!listed.some((each) => each.isDoubtful)) return listed.map(({ piece }) => piece);
  const sentences = listed.filter(({ piece }) => !piece.reading.ok && /\s/.test(piece.text)).length;
  if (sentences > named) {
    const found = await findNamed(lines, identityField);
    return found.length > 0 ? found : listed.map(({ piece }) => piece);
  }
  return listed.flatMap(({ piece }) => {
    if (piece.reading.ok) return [{ ...piece, leftOut: piece.leftOut ?? IN_MESSAGE }];
    const found = nameIn(piece, identityField);
    return found.length > 0 ? found : [piece];
  });
}

/** `isDoubtful`: it has words, which may be about others. */
type Listed = { piece: Piece; isDoubtful: boolean };

async function readPieces(lines: readonly Line[], identityField: IdentityField, isOwnId: boolean): Promise<Listed[]> {
  const listed: Listed[] = [];
  const pause = createPause();
  let above = '';
  for (const { text, line, source } of lines) {
    const isMailboxes = text.includes(';') || /^(?:to|cc|bcc):/i.test(text);
    const isQuoted = /^\s*>/.test(text);
    const pieces = splitLine(stripMarker(text, identityField)).map((piece) => {
      const whole = readWhole(piece, identityField, isOwnId);
      const isNameAlone = isMailboxes && isFullName(whole.text);
      return { piece: { line, source, ...whole }, isDoubtful: isQuoted || (hasWords(whole) && !isNameAlone) };
    });
    const joined = pieces.length > 0 ? joinBroken(above, text) : null;
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
    return { piece: { ...each.piece, reading: part, leftOut: BROKEN }, isDoubtful: false };
  };
  const whole: Listed = { piece: { ...last.piece, text, reading, leftOut: BROKEN }, isDoubtful: false };
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
    return { piece: { ...piece, reading: NOT_WHOLE, leftOut: null }, isDoubtful: !/\d/.test(piece.text) };
  });
}

/** Identities in the lines of a message, with their sentence. */
export async function findNamed(lines: readonly Line[], identityField: IdentityField): Promise<Piece[]> {
  const pieces: Piece[] = [];
  const pause = createPause();
  let above = '';
  for (const line of lines) {
    const joined = joinBroken(above, line.text);
    if (joined !== null) pieces.push(...nameIn({ ...line, text: joined }, identityField, BROKEN));
    pieces.push(...nameIn(line, identityField));
    if (line.text.trim() !== '') above = line.text;
    await pause();
  }
  return pieces;
}

function nameIn({ text, line, source }: Line, identityField: IdentityField, leftOut = IN_MESSAGE): Piece[] {
  const sentence = text.trim().slice(0, SHOWN_MAX);
  const found = new Map<string, Piece>();
  const plain = text.replaceAll(QUERY, ' ');
  for (const match of [...findIdentities(plain, identityField, false), ...guessIdentities(plain, identityField)]) {
    const piece = match.text.slice(0, SHOWN_MAX);
    const reading = withoutWords(match.reading, identityField);
    const isId = isCustomId(piece) || (/\d{4}/.test(piece) && !DATE.test(piece));
    const mayName = reading.ok ? reading.kind !== 'custom' || isId : reading.fault !== NOTHING || MAY_NAME.test(piece);
    const key = reading.ok ? identityKey(reading) : piece;
    if (!mayName || found.has(key)) continue;
    const shown = piece === sentence ? piece : `${piece} (in “${sentence}”)`;
    found.set(key, { line, source, text: shown, reading, leftOut: reading.ok ? leftOut : null });
  }
  return [...found.values()];
}

function withoutWords(reading: ParsedIdentity, identityField: IdentityField): ParsedIdentity {
  if (!reading.ok || reading.kind !== 'email') return reading;
  const [first = '', unnamed] = reading.values;
  return /^[^"\s]+\s/.test(first) && unnamed !== undefined ? parseIdentity(unnamed, identityField) : reading;
}

const END_MAX = 300;
const MARGIN = /^[>\s]*/;

/** An address that may be broken by a line end: ask. */
function joinBroken(above: string, below: string): string | null {
  const start = /(?<![^\s,;|()])[^\s,;|()]*$/.exec(above.slice(-END_MAX).trimEnd())?.[0] ?? '';
  const end = /^[^\s,;|()]*/.exec(below.replace(MARGIN, '').slice(0, END_MAX))?.[0] ?? '';
  if (!/[\p{L}\p{N}]/u.test(start) || end === '' || /^\d+\.$/.test(start)) return null;
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
