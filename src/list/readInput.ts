import type { IdentityField } from '../contact/parseIdentity.ts';
import { pickColumn, summarizeTable, type TableSummary } from './columns.ts';
import type { ListSource } from './parseList.ts';
import { parseTable } from './parseTable.ts';
import { decodeText, readFile } from './readFile.ts';

/** A text or file that was read, and not yet searched for entries. */
export type ParsedInput = ListSource & {
  /** The name of the file; null for pasted text. */
  name: string | null;
  /** What the columns of the table hold; null without one. */
  summary: TableSummary | null;
  /** What the user should know of how it was read, in sentences. */
  notes: string[];
};

/**
 * Reads a pasted text or a file as a table, or as lines. `onProgress` is called with shares of 1. Throws
 * `UnusableFileError`.
 */
export async function readInput(
  input: string | File,
  identityField: IdentityField,
  onProgress: (share: number) => void,
): Promise<ParsedInput> {
  if (typeof input === 'string') return readText(null, input, [], identityField);
  const { text, isWindows } = decodeText(input.name, await readFile(input, onProgress));
  const notes = isWindows ? ['This file is not UTF-8; it was read as Windows-1252. Check names with accents.'] : [];
  return readText(input.name, text, notes, identityField);
}

async function readText(
  name: string | null,
  text: string,
  notes: string[],
  identityField: IdentityField,
): Promise<ParsedInput> {
  const table = await parseTable(text, identityField);
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ text: line, line: index + 1, source: null, isProse: false }));
  if (table === null) return { name, lines, table, summary: null, column: null, notes };
  const summary = await summarizeTable(table, identityField);
  return { name, lines, table, summary, column: pickColumn(table, summary), notes };
}
