import { unescapeFormulas } from '#contract/csvInjection.ts';
import { findIdentities, identityKey } from '../contact/findIdentities.ts';
import type { IdentityField } from '../contact/parseIdentity.ts';
import { headingFactor, isIdentityName } from './headings.ts';
import { identityKind } from './identityKind.ts';
import { isOneValueEach } from './parseList.ts';
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

/** Counts what the columns hold. It pauses regularly, so that the page stays responsive. */
export async function summarizeTable(table: Table, identityField: IdentityField): Promise<TableSummary> {
  const filled = table.rows.filter((row) => !isBlankRow(row));
  const rows = filled.slice(0, Math.ceil(CELLS_MAX / table.headings.length));
  const columns: ColumnSummary[] = [];
  const pause = createPause();
  for (const [index, heading] of table.headings.entries()) {
    const counter = new ColumnCounter(isOneValueEach(rows.slice(0, 200).map((row) => row[index] ?? '')), identityField);
    for (const row of rows) {
      counter.add(unescapeFormulas(row[index] ?? '').trim());
      await pause();
    }
    const column = counter.summarize(table.hasHeadings ? heading : '', rows.length);
    if (column.distinct > 0) columns.push({ index, heading, ...column });
  }
  return { columns, rowsRead: rows.length, rowCount: filled.length };
}

class ColumnCounter {
  readonly #isColumn: boolean;
  readonly #identityField: IdentityField;
  readonly #keys = new Set<string>();
  readonly #samples = new Set<string>();
  readonly #kinds = new Map<string, number>();
  #weight = 0;
  #readable = 0;
  #empty = 0;
  #unreadable = 0;

  /** `isColumn`: each cell is one value. */
  constructor(isColumn: boolean, identityField: IdentityField) {
    this.#isColumn = isColumn;
    this.#identityField = identityField;
  }

  add(cell: string): void {
    const readings = findIdentities(cell, this.#identityField, this.#isColumn).flatMap(({ reading }) =>
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
    this.#kinds.set(kind ?? '', (this.#kinds.get(kind ?? '') ?? 0) + 1);
    if (this.#samples.size < SAMPLES) this.#samples.add(cell.slice(0, SAMPLE_MAX));
  }

  /** `heading` is empty where the table has none. */
  summarize(heading: string, rows: number): Omit<ColumnSummary, 'index' | 'heading'> {
    const [kind = ''] = [...this.#kinds].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    // A column that names the same few again and again, as that of an owner, identifies no row.
    const variety = Math.min(1, 0.1 + this.#keys.size / (this.#readable || 1));
    const named = isIdentityName(heading, this.#identityField) ? 3.5 : 0;
    return {
      samples: [...this.#samples],
      distinct: this.#keys.size,
      empty: this.#empty,
      unreadable: this.#unreadable,
      score: ((this.#weight / (rows || 1)) * headingFactor(heading, kind) + named) * variety,
    };
  }
}

/**
 * The index of the column that most probably identifies the contacts. Null where the lines are to be read instead: no
 * column has an identity, or the table has no headings and several columns that may each be a contact.
 */
export function pickColumn(table: Table, { columns }: TableSummary): number | null {
  const [best, second] = columns.toSorted((one, other) => other.score - one.score || one.index - other.index);
  if (best === undefined) return null;
  const isAmbiguous = !table.hasHeadings && second !== undefined && second.score > best.score / 4;
  return isAmbiguous ? null : best.index;
}
