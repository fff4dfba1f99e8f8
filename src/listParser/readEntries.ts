import { identityKey } from '../identity/parse/findIdentities.ts';
import { foldHeading } from '#contract/words/foldText.ts';
import { isIdName } from '../identity/customIds.ts';
import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { mapWithPauses, createPause } from './pause.ts';
import { type Piece, hasWords, isEmptyValue, MAY_BE_ID, NOT_WHOLE, readWhole, UNANSWERED, UNDECIDED } from './piece.ts';
import { UnusableFileError } from './readFile.ts';
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
  return mapWithPauses(all, (piece, index) => {
    const leftOut = piece.leftOut ?? ofFile ?? (piece.answers === undefined ? null : UNANSWERED);
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
const SOME_STAY = 'A row says that some stay';
const OTHER_TABLE = 'Under different headings';

/** Reads the column. If a cell is empty, other columns that may name the person are read, unselected. */
async function readRows(
  read: ReadableTable & { column: number },
  identityField: IdentityField,
  onProgress: (share: number) => void,
): Promise<Piece[]> {
  const { table, columns, states, asked, column, isUndecided } = read;
  const { headings, hasHeadings, rows, firstRow } = table;
  const others = columns.filter((each) => each.index !== column && canName(each));
  const ownIds = headings.map((heading) => hasHeadings && isIdName(heading, identityField));
  const pieces: Piece[] = [];
  const pause = createPause();
  const areSome = rows.some(tellsOthersStay);
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
        : read(
            column,
            isUndecided ? UNDECIDED : isBelowOther ? OTHER_TABLE : (opposite ?? (areSome ? SOME_STAY : null)),
          );
    const named = found.filter(({ reading }) => reading.ok);
    if (isBehindBlank && named.length === 0) isBelowOther = true;
    isBehindBlank = false;
    const taken = isOdd || isEmptyValue(row[column] ?? '') ? orWhole(named, row, line) : found;
    for (const piece of taken) pieces.push({ ...piece, answers });
    await pause(() => onProgress(index / rows.length));
  }
  return pieces;
}

/** A sentence among the rows, about contacts to keep. */
function tellsOthersStay(row: readonly string[]): boolean {
  const [text = '', ...others] = row.filter((cell) => cell.trim() !== '');
  return others.length === 0 && /\s/.test(text) && identityKind(text) === null && tellsWhoStays(foldHeading(text));
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
