import {
  findIdentities,
  guessIdentities,
  identityKey,
  NOTHING,
  type IdentityMatch,
} from '../contact/findIdentities.ts';
import { isIdName } from '../contact/idNames.ts';
import { type IdentityField, parseIdentity } from '../contact/parseIdentity.ts';
import { formatCount } from '../ui/formatCount.ts';
import { withLineAbove } from './brokenAddresses.ts';
import { isHeadingWord } from './headings.ts';
import type { TableSummary } from './columns.ts';
import { isOneValueEach } from './identityKind.ts';
import type { ListLine } from './listLine.ts';
import type { Table } from './parseTable.ts';
import { createPause } from './pause.ts';
import { UnusableFileError } from './readFile.ts';
import { TableReader } from './tableRows.ts';

/** An identity that the input names, or a piece in which none can be read. */
export type ParsedEntry = {
  /** From 0. */
  index: number;
  /** Line of the text or row of the table, from 1. */
  line: number;
  text: string;
  /** The identity in words, or why there is none. */
  as: string;
  /** Identities to find the contact by, tried in turn; empty when the text has none. */
  values: string[];
  /** The line that names the same contact first; null when it is this one. */
  repeats: number | null;
  /** What it was found in, in words; null for a line of a text. */
  source: string | null;
  /** The number of the mail or ticket that it was found in; null where it was none. */
  mail?: number | null;
  /** Why it is not run unless somebody ticks it. */
  leftOut?: string | null;
};

/** What entries are found in. */
export type ListSource = {
  lines: readonly ListLine[];
  table: Table | null;
  /** What the columns of the table hold; null without one. */
  summary: TableSummary | null;
  /** The column that is read, an index in `table`; null where the lines are read. */
  column: number | null;
};

/** Lines that decide whether each is one value. */
const SAMPLE = 200;
/** Entries that a browser can keep and show without delay. */
const ENTRIES_MAX = 500_000;

/**
 * Finds the entries in the lines of an input, or in the chosen column of its table, and in others for a row that is empty
 * there. It pauses regularly, so that the page stays responsive. Throws `UnusableFileError`.
 */
export async function parseList(
  input: ListSource,
  identityField: IdentityField,
  onProgress: (share: number) => void = () => {},
): Promise<ParsedEntry[]> {
  const { table, summary, column } = input;
  const reader = table === null || column === null ? null : new TableReader(table, summary, column, identityField);
  const isTable = reader !== null;
  const lines = reader?.lines ?? withoutHeadings(input.lines, table, identityField);
  const sample = lines.slice(0, SAMPLE).map(({ text }) => text);
  const isColumn = isOneValueEach(sample);
  const isOwnId = isIdName(headingOf(input), identityField);
  const isOfDebris = isTable || isOwnId || isMostlyDebris(sample);
  const entries: ParsedEntry[] = [];
  const lineOf = new Map<string, number>();
  const pause = createPause();
  for (const [index, given] of lines.entries()) {
    const row = reader?.read(given, index);
    const line = row?.line ?? given;
    const find = (text: string) =>
      line.isProse ? findInProse(text, identityField) : findIdentities(text, identityField, isColumn, isOwnId);
    // Empty lines are skipped. An empty cell of a row that is not empty is reported.
    const pieces = row?.pieces ?? find(line.text);
    const isHeader = line.source !== null && !line.isProse;
    const whole = isTable || isHeader ? null : withLineAbove(lines[index - 1]?.text ?? '', line.text);
    // Whoever is named before is meant here too.
    if (whole !== null && !lineOf.has(keyOf(pieces[0]) ?? ''))
      pieces.splice(0, 1, ...readBothWays(pieces[0], find(whole)[0]));
    const { sure, chosen, guesses } = row?.isUnsure
      ? { sure: [], chosen: pieces, guesses: [] }
      : sortPieces(line, pieces, identityField, !isTable && !isHeader);
    entries.push(...createChoice(chosen, entries.length, line));
    for (const found of sure) {
      const piece = isOfDebris ? found : withoutDebris(found);
      if (piece !== found && line.isProse) continue;
      entries.push(createEntry(piece, entries.length, line, lineOf));
    }
    for (const guess of guesses) {
      const entry = createEntry(guess, entries.length, line, new Map());
      entries.push({ ...entry, text: inLine(guess, line), leftOut: GUESS });
    }
    if (entries.length > ENTRIES_MAX) {
      throw new UnusableFileError(`There are more than ${formatCount(ENTRIES_MAX)} entries: split the list.`);
    }
    const pausing = pause();
    if (pausing !== undefined) {
      onProgress(index / lines.length);
      await pausing;
    }
  }
  return entries;
}

/** The address at the start of a line, and the longer one of which it may be the end: only the user knows which is meant. */
const readBothWays = (...pieces: readonly (IdentityMatch | undefined)[]): IdentityMatch[] =>
  pieces.flatMap((piece) => (piece === undefined ? [] : [piece.reading.ok ? { ...piece, isDoubtful: true } : piece]));

const keyOf = (match: IdentityMatch | undefined) => (match?.reading.ok ? identityKey(match.reading) : null);

/** The pieces of a line that are run, those of which the user is to choose, and the words that may be IDs beside them. */
type SortedPieces = Record<'sure' | 'chosen' | 'guesses', readonly IdentityMatch[]>;

/**
 * Sorts what a line has. Beside nothing but phone numbers, any ID of the workspace's own may be meant instead: somebody may
 * have called from the phone of another. Beside anything else it is one that its name tells. `mayMention`: the line is a text,
 * in which words that only their form tells count too; in that of a mail they do not, where most are of orders and tickets.
 */
function sortPieces(
  { text, isProse }: ListLine,
  pieces: readonly IdentityMatch[],
  identityField: IdentityField,
  mayMention: boolean,
): SortedPieces {
  const isCalled = pieces.length > 0 && pieces.every(({ reading }) => reading.ok && reading.kind === 'phone');
  const keys = new Set(pieces.map(keyOf));
  // `Customer no. 10042` alone is found as a piece too.
  const guess = (areNamed: boolean) =>
    guessIdentities(text, identityField, areNamed).filter((match) => !keys.has(keyOf(match)));
  const guesses = isCalled || mayMention ? guess(isProse && !isCalled) : [];
  if (guesses.length > 0) {
    if (pieces.every(({ reading }) => !reading.ok && reading.fault === NOTHING))
      return { sure: [], chosen: [], guesses };
    const rivals = isCalled ? guesses : guess(true);
    const readable = pieces.filter(({ reading }) => reading.ok);
    if (rivals.length > 0 && readable.length > 0) {
      const rivalKeys = new Set(rivals.map(keyOf));
      return {
        sure: pieces.filter(({ reading }) => !reading.ok),
        chosen: [...rivals, ...readable],
        guesses: guesses.filter((match) => !rivalKeys.has(keyOf(match))),
      };
    }
  }
  const chosen = pieces.filter(({ isDoubtful }) => isDoubtful);
  return { sure: pieces.filter(({ isDoubtful }) => !isDoubtful), chosen, guesses };
}

const GUESS = 'May be an ID in a sentence';

/** Whether an entry is a word of a sentence that nothing but its form or its name says to be an ID. */
export const isGuess = ({ leftOut }: { leftOut: string | null }): boolean => leftOut === GUESS;

/** Characters of a line that are shown with each of its entries. */
const SHOWN_MAX = 200;

const inLine = (piece: IdentityMatch, line: ListLine) => `${piece.text} (in “${line.text.trim().slice(0, SHOWN_MAX)}”)`;

const CHOICE = 'Tick whom this line means';

/** Whether an entry is one of several of which its line means one. */
export const isChoice = ({ leftOut }: { leftOut: string | null }): boolean => leftOut?.endsWith(CHOICE) ?? false;

/**
 * Entries of which one is meant, so that none is run until somebody has ticked it. They are no duplicates of others: a line
 * that names the same contact alone is run.
 */
function createChoice(pieces: readonly IdentityMatch[], start: number, line: ListLine): ParsedEntry[] {
  const names = pieces.map(({ text }) => text);
  return pieces.map((piece, index) => {
    const others = names.filter((_, other) => other !== index).join(' or ');
    return {
      ...createEntry(piece, start + index, line, new Map()),
      text: inLine(piece, line),
      leftOut: others === '' ? CHOICE : `Or ${others}? ${CHOICE}`,
    };
  });
}

/** What stands beside the messages of a chat: the number of reactions, a time, an emoji. */
const DEBRIS = /^(?:\d{1,3}|\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?|(?::[\w+'-]+:)+)$/i;
const DEBRIS_FAULT = 'A short number, a time or an emoji is not taken for an ID in a text.';

/** Whether most lines are such: then the list is one of short numbers. */
function isMostlyDebris(lines: readonly string[]): boolean {
  const filled = lines.map((line) => line.trim()).filter((line) => line !== '');
  return filled.filter((line) => DEBRIS.test(line)).length > filled.length / 2;
}

function withoutDebris(match: IdentityMatch): IdentityMatch {
  const { text, reading } = match;
  if (!reading.ok || reading.kind !== 'custom' || !DEBRIS.test(text.trim())) return match;
  return { text, reading: { ok: false, fault: DEBRIS_FAULT } };
}

/** As `findIdentities`. A line without an identity gives none, and the words before an address are no part of it. */
function findInProse(text: string, identityField: IdentityField): IdentityMatch[] {
  return findIdentities(text, identityField, false).flatMap((match) => {
    const { reading } = match;
    if (!reading.ok) return reading.fault === NOTHING ? [] : [match];
    const [first = '', unnamed] = reading.values;
    const isWithWords = reading.kind === 'email' && /^[^"\s]+\s/.test(first) && unnamed !== undefined;
    return [isWithWords ? { ...match, reading: parseIdentity(unnamed, identityField) } : match];
  });
}

/** What stands above the column that is read, or above a list; any other text where nothing does. */
function headingOf({ lines, table, column }: ListSource): string {
  if (table === null) return lines.find(({ text }) => text.trim() !== '')?.text ?? '';
  return table.hasHeadings && column !== null ? (table.headings[column] ?? '') : '';
}

/** Leaves out a first line of headings: of a table that is read as text, or a word such as `Email` above a list. */
function withoutHeadings(
  lines: readonly ListLine[],
  table: Table | null,
  identityField: IdentityField,
): readonly ListLine[] {
  const first = lines.findIndex(({ text }) => text.trim() !== '');
  const heading = lines[first];
  if (heading === undefined || heading.source !== null) return lines;
  const isHeading = table === null ? isHeadingWord(heading.text, identityField) : table.hasHeadings;
  return isHeading ? lines.slice(first + 1) : lines;
}

function createEntry(
  { text, reading }: IdentityMatch,
  index: number,
  { line, source, mail: ofMail }: ListLine,
  lineOf: Map<string, number>,
): ParsedEntry {
  const mail = ofMail?.number ?? null;
  if (!reading.ok) return { index, line, text, as: reading.fault, values: [], repeats: null, source, mail };
  const key = identityKey(reading);
  const repeats = lineOf.get(key) ?? null;
  if (repeats === null) lineOf.set(key, line);
  return { index, line, text, as: reading.as, values: reading.values, repeats, source, mail };
}
