import { identityKey } from '../identity/parse/findIdentities.ts';
import { foldHeading } from '../identity/idNames.ts';
import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { mapWithPauses } from './pause.ts';
import type { Piece } from './piece.ts';
import { UnusableFileError } from './readFile.ts';
import type { ParsedInput } from './readInput.ts';
import { isFileOfKept } from './stateWords.ts';
import { readRows } from './tablePieces.ts';

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
};

const ENTRIES_MAX = 500_000;

export async function readEntries(
  { name, table, pieces }: Pick<ParsedInput, 'name' | 'table' | 'pieces'>,
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
    const leftOut = piece.leftOut ?? ofFile;
    return createEntry({ ...piece, leftOut }, index, leftOut === null ? run : asked);
  });
}

function createEntry(
  { line, text, source, reading, leftOut }: Piece,
  index: number,
  lineOf: Map<string, number>,
): ParsedEntry {
  if (!reading.ok) return { index, line, text, as: reading.fault, values: [], repeats: null, source, leftOut: null };
  const key = identityKey(reading);
  const repeats = lineOf.get(key) ?? null;
  if (repeats === null) lineOf.set(key, line);
  return { index, line, text, as: reading.as, values: reading.values, repeats, source, leftOut };
}
