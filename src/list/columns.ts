import { unescapeFormulas } from '#contract/csvInjection.ts';
import { findIdentities, identityKey } from '../contact/findIdentities.ts';
import { isIdName } from '../contact/idNames.ts';
import type { IdentityField } from '../contact/parseIdentity.ts';
import { type HeadingMeaning, readHeading } from './headings.ts';
import { identityKind, type IdentityKind, isOneValueEach, isStrong } from './identityKind.ts';
import { isBlankRow, type Table } from './parseTable.ts';
import { createPause } from './pause.ts';

/** What a column holds, as far as its rows were read. */
export type ColumnSummary = {
  /** Its place in the table, from 0. */
  index: number;
  heading: string;
  /** Up to three different cells with an identity. */
  samples: string[];
  /** Different identities. */
  distinct: number;
  empty: number;
  /** Cells with a text and no identity in it. */
  unreadable: number;
  /** What most of its cells are; null where they have words besides. */
  kind: IdentityKind | null;
  meaning: HeadingMeaning;
  /** How probably it identifies the contacts; comparable within a table. */
  score: number;
};

export type TableSummary = {
  /** The columns with at least one identity, in the order of the table. */
  columns: ColumnSummary[];
  /** Rows that were read for it, and how many the table has. */
  rowsRead: number;
  rowCount: number;
};

/** Cells that are read. More would keep a user waiting, and change no choice. */
const CELLS_MAX = 30_000;
const SAMPLES = 3;
/** Characters of a sample. */
const SAMPLE_MAX = 60;
const WEIGHTS = { email: 8, uuid: 4, phone: 3, number: 1, word: 0.5 };
/** Added where the heading is that of the workspace's own identity: more than for a UUID or a phone number. */
const OWN_ID = 6;
/** The share of the best score from which on another column may be meant as well. */
const RIVAL = 0.8;
const WEAK_RIVAL = 0.25;

/** Counts what the columns hold. It pauses regularly, so that the page stays responsive. */
export async function summarizeTable(table: Table, identityField: IdentityField): Promise<TableSummary> {
  const filled = table.rows.filter((row) => !isBlankRow(row));
  const rows = filled.slice(0, Math.ceil(CELLS_MAX / table.headings.length));
  const columns: ColumnSummary[] = [];
  const pause = createPause();
  for (const [index, heading] of table.headings.entries()) {
    const name = table.hasHeadings ? heading : '';
    const isColumn = isOneValueEach(rows.slice(0, 200).map((row) => row[index] ?? ''));
    const counter = new ColumnCounter(isColumn, isIdName(name, identityField), identityField);
    for (const row of rows) {
      counter.add(unescapeFormulas(row[index] ?? '').trim());
      await pause();
    }
    const column = counter.summarize(name, rows.length);
    if (column.distinct > 0) columns.push({ index, heading, ...column });
  }
  return { columns, rowsRead: rows.length, rowCount: filled.length };
}

class ColumnCounter {
  readonly #isColumn: boolean;
  readonly #isOwnId: boolean;
  readonly #identityField: IdentityField;
  readonly #keys = new Set<string>();
  readonly #samples = new Set<string>();
  readonly #kinds = new Map<IdentityKind | null, number>();
  #weight = 0;
  #readable = 0;
  #empty = 0;
  #unreadable = 0;

  /** `isColumn`: each cell is one value. `isOwnId`: the heading says that it is the workspace's own. */
  constructor(isColumn: boolean, isOwnId: boolean, identityField: IdentityField) {
    this.#isColumn = isColumn;
    this.#isOwnId = isOwnId;
    this.#identityField = identityField;
  }

  add(cell: string): void {
    const readings = findIdentities(cell, this.#identityField, this.#isColumn, this.#isOwnId).flatMap(({ reading }) =>
      reading.ok ? [reading] : [],
    );
    if (cell === '') this.#empty += 1;
    else if (readings.length === 0) this.#unreadable += 1;
    else this.#readable += 1;
    for (const reading of readings) this.#keys.add(identityKey(reading));
    if (readings.length === 0) return;
    const kind = identityKind(cell);
    // A cell that names somebody among other words is less of an identity.
    this.#weight += kind === null ? 0.2 : WEIGHTS[kind];
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (this.#samples.size < SAMPLES) this.#samples.add(cell.slice(0, SAMPLE_MAX));
  }

  /** `heading` is empty where the table has none. */
  summarize(heading: string, rows: number): Omit<ColumnSummary, 'index' | 'heading'> {
    const [most = null] = [...this.#kinds].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    // A column that names the same few again and again, as that of an owner, identifies no row.
    const variety = Math.min(1, 0.1 + this.#keys.size / (this.#readable || 1));
    const meaning = readHeading(heading, most, this.#identityField);
    // Below the heading of a phone number, digits alone are one too.
    const isPhone = (most === 'number' || most === 'phone') && meaning.isSure && !meaning.isOwnId;
    const kind = isPhone ? 'phone' : most;
    const numbers = isPhone ? (this.#kinds.get('number') ?? 0) : 0;
    const weight = this.#weight + numbers * (WEIGHTS.phone - WEIGHTS.number);
    const named = meaning.isOwnId ? (OWN_ID * this.#readable) / (rows || 1) : 0;
    return {
      samples: [...this.#samples],
      distinct: this.#keys.size,
      empty: this.#empty,
      unreadable: this.#unreadable,
      kind,
      meaning,
      score: ((weight / (rows || 1)) * meaning.factor + named) * variety,
    };
  }
}

/** The column that is read, and whether nothing says that it is rather this one than another. */
export type ColumnPick = { column: number | null; isUndecided: boolean };

/**
 * The column that most probably identifies the contacts. Null where the lines are to be read instead: no column
 * has an identity, or the table has no headings and several columns that may each be a contact.
 */
export function pickColumn(table: Table, { columns }: TableSummary): ColumnPick {
  const [best, ...others] = columns.toSorted((one, other) => other.score - one.score || one.index - other.index);
  if (best === undefined) return { column: null, isUndecided: false };
  const isList = !table.hasHeadings && others[0] !== undefined && others[0].score > best.score / 4;
  // One may be of agents: beside names, that is no list of people.
  if (isList && others[0]?.kind === best.kind && hasWords(table, columns)) {
    return { column: best.index, isUndecided: true };
  }
  // Names, say, beside numbers that cannot be read: the lines tell why.
  const areWords = isUnlikely(best, 1) && !best.samples.some((sample) => /[\d@]/.test(sample));
  if (isList || (areWords && others.length === 0 && table.headings.length > 1))
    return { column: null, isUndecided: false };
  return {
    column: best.index,
    isUndecided: isUnlikely(best, others.length) || others.some((other) => isRival(other, best)),
  };
}

/** Whether a column has something else than identities. */
function hasWords({ headings, rows }: Table, columns: readonly ColumnSummary[]): boolean {
  const ofIdentities = new Set(columns.filter(({ kind }) => kind !== null).map(({ index }) => index));
  return headings.some((_, index) => !ofIdentities.has(index) && rows.some((row) => (row[index] ?? '').trim() !== ''));
}

const isOther = ({ meaning }: ColumnSummary) => meaning.isOther;

/** Whether even the best column is probably none: numbers of another kind, or words beside other columns. */
const isUnlikely = (best: ColumnSummary, others: number) =>
  isOther(best) || (best.kind === null && !best.meaning.isIdentity && others > 0);

/** Whether a column may be meant as well as the best one: it holds the same kind, and its heading says no less. */
function isRival(column: ColumnSummary, best: ColumnSummary): boolean {
  if (column.meaning.isOwnId !== best.meaning.isOwnId || isOther(column)) return false;
  if (isStrong(best.kind)) return column.kind === best.kind && column.score >= best.score * RIVAL;
  const saysLess = best.meaning.isIdentity && !column.meaning.isIdentity;
  return !saysLess && column.score >= best.score * WEAK_RIVAL;
}
