import { identityKey } from '../identity/parse/findIdentities.ts';
import { foldHeading } from '#contract/words/foldText.ts';
import { isIdName } from '../identity/customIds.ts';
import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { mapWithPauses, createPause } from './pause.ts';
import {
  describeText,
  type Piece,
  hasWords,
  isEmptyValue,
  isName,
  MAY_BE_ID,
  NOT_WHOLE,
  readWhole,
  UNANSWERED,
  UNDECIDED,
} from './piece.ts';
import { UnusableFileError } from './readFile.ts';
import { findDisagreements } from './disagreements.ts';
import { findRemarks } from './remarks.ts';
import { isKnownLine } from './requests.ts';
import { isFileOfKept, tellsWhoStays } from '#contract/words/stateWords.ts';
import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { canName, type ColumnSummary } from './columns.ts';
import { identityKind } from './identityKind.ts';
import { isBlankRow, type Table } from './parseTable.ts';
import { splitLine } from './readLines.ts';
import { readAnswer, trimAnswer } from './answers.ts';
import { type AskedColumn, describeOpposite, type StateColumn } from './stateColumns.ts';

export type ParsedEntry = {
  index: number;
  line: number;
  text: string;
  as: string;
  /** Tried in turn; empty if unreadable. */
  values: string[];
  /** The first line with the same contact; null if it's this one. */
  repeats: number | null;
  source: string | null;
  /** Why it begins unselected. */
  leftOut: string | null;
  /** Its cells of the columns that are asked about. */
  answers?: readonly string[] | undefined;
};

const ENTRIES_MAX = 500_000;

export async function readEntries(
  { name, table, pieces }: { name: string | null; table: ReadableTable | null; pieces: readonly Piece[] },
  identityField: IdentityField,
  onProgress: (share: number) => void = () => {},
): Promise<ParsedEntry[]> {
  const column = table?.column ?? null;
  const all =
    table === null || column === null ? pieces : await readRows({ ...table, column }, identityField, onProgress);
  if (all.length > ENTRIES_MAX) {
    throw new UnusableFileError(`There are more than ${formatCount(ENTRIES_MAX)} entries. Split the list.`);
  }
  // An unselected entry is no duplicate of a selected one, or vice versa.
  const [run, asked] = [new Map<string, number>(), new Map<string, number>()];
  const ofFile = name !== null && isFileOfKept(foldHeading(name)) ? `“${name}” says who to keep` : null;
  const disagreement = findDisagreements(all);
  return mapWithPauses(all, (piece, index) => {
    const leftOut = disagreement(piece) ?? piece.leftOut ?? ofFile ?? (piece.answers === undefined ? null : UNANSWERED);
    return createEntry({ ...piece, leftOut }, index, leftOut === null || leftOut === UNANSWERED ? run : asked);
  });
}

function createEntry(
  { line, text, source, reading, leftOut, answers }: Piece,
  index: number,
  lineOf: Map<string, number>,
): ParsedEntry {
  if (!reading.ok) return { index, line, text, as: reading.fault, values: [], repeats: null, source, leftOut: null };
  // Lines with different answers are no duplicates.
  const key = [identityKey(reading), ...(answers ?? []).map(readAnswer)].join('\n');
  const repeats = lineOf.get(key) ?? null;
  if (repeats === null) lineOf.set(key, line);
  return { index, line, text, as: reading.as, values: reading.values, repeats, source, leftOut, answers };
}

export type ReadableTable = {
  text: string;
  table: Table;
  columns: readonly ColumnSummary[];
  states: readonly StateColumn[];
  asked: readonly AskedColumn[];
  /** Null if it's read as text. */
  column: number | null;
  isUndecided: boolean;
};

const OTHER_CELLS = 'Its row has a different number of cells';
const BESIDE_WORDS = 'Mentioned with other words';
const OTHER_TABLE = 'Under different headings';

/** Reads the column. If a cell is empty, other columns that may name the person are read, unselected. */
async function readRows(
  readable: ReadableTable & { column: number },
  identityField: IdentityField,
  onProgress: (share: number) => void,
): Promise<Piece[]> {
  const { table, columns, states, asked, column, isUndecided } = readable;
  const { headings, hasHeadings, rows, firstRow } = table;
  const others = columns.filter((each) => each.index !== column && canName(each));
  const ownIds = headings.map((heading) => hasHeadings && isIdName(heading, identityField));
  const pieces: Piece[] = [];
  const pause = createPause();
  const remark = findRemarks(readable);
  const text = describeUnknown(readable);
  let [isBehindBlank, isBelowOther] = [false, false];
  for (const [index, row] of rows.entries()) {
    if (isBlankRow(row)) {
      isBehindBlank = pieces.length > 0;
      continue;
    }
    const line = firstRow + index;
    const read = (at: number, leftOut: string | null): Piece[] => {
      const wholes = splitCell(row[at] ?? '').map((text) => {
        const whole = readWhole(text, identityField, ownIds[at]);
        // A word is an ID only under the name of one.
        return whole.leftOut === MAY_BE_ID ? { ...whole, reading: NOT_WHOLE, leftOut: null } : whole;
      });
      const mentioned = wholes.length > 1 && wholes.some(hasWords) ? BESIDE_WORDS : null;
      return wholes.map((whole) => ({
        ...whole,
        line,
        source: headings[at] ?? null,
        leftOut: leftOut ?? mentioned ?? whole.leftOut,
      }));
    };
    const state = states.find((each) => each.index !== column && each.isOpposite(row[each.index] ?? ''));
    const opposite = state === undefined ? null : describeOpposite(state.heading, row[state.index] ?? '');
    const answers =
      asked.length === 0 || isUndecided ? undefined : asked.map((each) => trimAnswer(row[each.index] ?? ''));
    const isOdd = row.length > headings.length || (row.length === 1 && headings.length > 1);
    const found = isOdd
      ? row.flatMap((_, at) => read(at, OTHER_CELLS))
      : isEmptyValue(row[column] ?? '')
        ? others.flatMap(({ index: at, heading }) => read(at, `Read from “${heading}”`))
        : read(column, isUndecided ? UNDECIDED : isBelowOther ? OTHER_TABLE : (opposite ?? text ?? remark(row)));
    const named = found.filter(({ reading }) => reading.ok);
    if (isBehindBlank && named.length === 0) isBelowOther = true;
    isBehindBlank = false;
    const taken = isOdd || isEmptyValue(row[column] ?? '') ? orWhole(named, row, line) : found;
    for (const piece of taken) pieces.push({ ...piece, answers });
    await pause(() => onProgress(index / rows.length));
  }
  return pieces;
}

/** Lines of text that are quoted. */
const QUOTED_MAX = 3;

/** Text among the rows that only a person understands, or above them if no column says who is meant. */
function describeUnknown({ table, states, asked }: ReadableTable): string | null {
  const isDecided = states.length > 0 || asked.length > 0;
  const unknown = isDecided ? [] : table.above.filter((text) => !isKnownLine(text));
  for (const row of table.rows) {
    if (unknown.length >= QUOTED_MAX) break;
    const text = textOf(row, table.headings.length);
    if (text !== null && !isKnownLine(text)) unknown.push(text.trim());
  }
  return unknown.length === 0 ? null : describeText(unknown.slice(0, QUOTED_MAX));
}

/** The text of a row that has nothing else; among empty cells, it may be a name. */
function textOf(row: readonly string[], width: number): string | null {
  const [text = '', ...others] = row.length <= width ? row.filter((cell) => cell.trim() !== '') : ['', ''];
  if (others.length > 0 || !/\p{L}/u.test(text) || identityKind(text) !== null) return null;
  if (row.length === 1 && width > 1) return text;
  return /\s/.test(text) && (!isName(text) || tellsWhoStays(foldHeading(text))) ? text : null;
}

const splitCell = (cell: string): string[] =>
  unescapeFormulas(cell)
    .split(/\r\n|\r|\n| ::: /)
    .flatMap(splitLine);

function orWhole(pieces: Piece[], row: readonly string[], line: number): Piece[] {
  if (pieces.length > 0) return pieces;
  const text = row.flatMap((cell) => cell.trim() || []).join('; ');
  return [
    {
      line,
      text,
      source: null,
      reading: { ok: false, fault: 'This row has no identity.' },
      leftOut: null,
    },
  ];
}
