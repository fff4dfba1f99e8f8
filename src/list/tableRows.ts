import { unescapeFormulas } from '#contract/csvInjection.ts';
import { findIdentities, type IdentityMatch } from '../contact/findIdentities.ts';
import { isIdName } from '../contact/idNames.ts';
import type { IdentityField } from '../contact/parseIdentity.ts';
import { formatCount } from '../ui/formatCount.ts';
import type { TableSummary } from './columns.ts';
import { type Fallback, findFallbacks } from './fallbacks.ts';
import { isOneValueEach } from './identityKind.ts';
import type { ListLine } from './listLine.ts';
import { isBlankRow, type Table } from './parseTable.ts';

/** The line of a row, and whom it names. `isUnsure`: whether only the user can tell who of them is meant. */
export type RowReading = { line: ListLine; pieces: IdentityMatch[]; isUnsure: boolean };

type Row = { cells: readonly string[]; number: number };

/** Rows that decide whether each cell of a column is one value. */
const SAMPLE = 200;
/** Last rows that may have totals. */
const TOTALS_MAX = 3;
const TOTAL =
  /^(?:(?:grand|sub)[ -]?)?(?:totals?|sum|summe|gesamt(?:summe|anzahl)?|(?:zwischen|end)summe|anzahl|count|somme|total g[eé]n[eé]ral|suma|totale|somma|totaal|aantal|razem|łącznie)\s?[:=]?\s?\d*$/i;
/** What stands in a cell without a value. */
const NO_VALUE = /^(?:[^\p{L}\p{N}]*|n\/?a|null|none|nil|undefined|unknown|empty|keine?|unbekannt|leer)$/iu;

const unreadable = (text: string, fault: string): IdentityMatch => ({ text, reading: { ok: false, fault } });

const cellAt = (cells: readonly string[], column: number) => unescapeFormulas(cells[column] ?? '').trim();
/** A cell without the signs that are written in one row and left out in another. */
const foldCell = (cell: string) => cell.toLowerCase().replaceAll(/[\s().\-/]/g, '');

/** Reads a table by a column. A row that is empty there is read by another column that identifies the contact, too. */
export class TableReader {
  /** The cells of the column, with the numbers of their rows. Blank rows are left out. */
  readonly lines: readonly ListLine[];
  readonly #rows: readonly Row[];
  readonly #table: Table;
  readonly #column: number;
  readonly #identityField: IdentityField;
  readonly #fallbacks: readonly Fallback[];
  readonly #meanings = new Map<number, { isColumn: boolean; isOwnId: boolean }>();
  readonly #shared = new Map<number, ReadonlySet<string>>();

  constructor(table: Table, summary: TableSummary | null, column: number, identityField: IdentityField) {
    this.#table = table;
    this.#column = column;
    this.#identityField = identityField;
    this.#fallbacks = summary === null ? [] : findFallbacks(summary, column);
    this.#rows = table.rows.flatMap((cells, index) =>
      isBlankRow(cells) ? [] : [{ cells, number: table.firstRow + index }],
    );
    const source = table.headings[column] ?? null;
    this.lines = this.#rows.map(({ cells, number }) => ({
      text: unescapeFormulas(cells[column] ?? ''),
      line: number,
      source,
      isProse: false,
    }));
  }

  /** `line`: one of `lines`, `index` its place. */
  read(line: ListLine, index: number): RowReading {
    const cells = this.#rows[index]?.cells ?? [];
    if (cells.length > this.#table.headings.length) return this.#readLong(line, cells);
    const pieces = this.#find(cells, this.#column);
    const isOfTotals = index >= this.#rows.length - TOTALS_MAX && cells.some((cell) => TOTAL.test(cell.trim()));
    if (isOfTotals && !pieces.some(isAddressOrUuid)) {
      return { line, pieces: [unreadable(line.text, 'This is a row of totals.')], isUnsure: false };
    }
    if (pieces.some(({ reading }) => reading.ok)) return { line, pieces, isUnsure: false };
    const others = this.#fallbacks.flatMap((fallback) => this.#readFallback(fallback, line, cells));
    const other = others.find(({ isUnsure }) => !isUnsure) ?? others[0];
    if (other !== undefined) return other;
    return { line, pieces: pieces.length > 0 ? pieces : [unreadable('', 'This cell is empty.')], isUnsure: false };
  }

  #readFallback({ index, isSure }: Fallback, line: ListLine, cells: readonly string[]): RowReading[] {
    const pieces = this.#find(cells, index).filter(({ reading }) => reading.ok);
    if (pieces.length === 0) return [];
    const text = cellAt(cells, index);
    const source = this.#table.headings[index] ?? null;
    // A text in the column may say that somebody else is meant, or nobody.
    const isEmpty = NO_VALUE.test(line.text.trim());
    const isUnsure = !isSure || !isEmpty || this.#sharedIn(index).has(foldCell(text));
    return [{ line: { ...line, text: isEmpty ? text : `${line.text}; ${text}`, source }, pieces, isUnsure }];
  }

  /** Of a row with more cells than the table, nobody knows which cell is of which column. */
  #readLong(line: ListLine, cells: readonly string[]): RowReading {
    const text = cells.filter((cell) => cell.trim() !== '').join('; ');
    const pieces = cells
      .flatMap((cell) => findIdentities(unescapeFormulas(cell), this.#identityField, false))
      .filter(({ reading }) => reading.ok);
    const fault = `This row has more than ${formatCount(this.#table.headings.length)} cells.`;
    return {
      line: { ...line, text, source: null },
      pieces: pieces.length > 0 ? pieces : [unreadable(text, fault)],
      isUnsure: pieces.length > 0,
    };
  }

  #find(cells: readonly string[], column: number): IdentityMatch[] {
    const { isColumn, isOwnId } = this.#meaningOf(column);
    return findIdentities(unescapeFormulas(cells[column] ?? ''), this.#identityField, isColumn, isOwnId);
  }

  #meaningOf(column: number): { isColumn: boolean; isOwnId: boolean } {
    const known = this.#meanings.get(column);
    if (known !== undefined) return known;
    const sample = this.#rows.slice(0, SAMPLE).map(({ cells }) => unescapeFormulas(cells[column] ?? ''));
    const heading = this.#table.hasHeadings ? (this.#table.headings[column] ?? '') : '';
    const meaning = { isColumn: isOneValueEach(sample), isOwnId: isIdName(heading, this.#identityField) };
    this.#meanings.set(column, meaning);
    return meaning;
  }

  /** The cells of another column in rows that are read by this one: they may be of the people there. */
  #sharedIn(column: number): ReadonlySet<string> {
    const known = this.#shared.get(column);
    if (known !== undefined) return known;
    const rows = this.#rows.filter(({ cells }) => !NO_VALUE.test(cellAt(cells, this.#column)));
    const shared = new Set(rows.map(({ cells }) => foldCell(cellAt(cells, column))));
    this.#shared.set(column, shared);
    return shared;
  }
}

const isAddressOrUuid = ({ reading }: IdentityMatch) =>
  reading.ok && (reading.kind === 'email' || reading.kind === 'uuid');
