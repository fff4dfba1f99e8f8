// Entries as records of the journal. A record takes long to write and to read, whatever is in it, so those of a new list are in blocks.

export type JournalEntry = { readonly index: number };

/** Its key is negative: the entries that have changed since are beside it, under their own. */
type Block = { readonly index: number; readonly block: readonly JournalEntry[] };

/** Entries of a block. Writing it takes a few milliseconds. */
const BLOCK = 1000;

export function packEntries(entries: readonly JournalEntry[]): Block[] {
  const count = Math.ceil(entries.length / BLOCK);
  return Array.from({ length: count }, (_, number) => ({
    index: number - count,
    block: entries.slice(number * BLOCK, (number + 1) * BLOCK),
  }));
}

/** The entries of all records, in the order of their keys. */
export function unpackEntries(records: readonly (Block | JournalEntry)[]): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const record of records) {
    if ('block' in record) for (const entry of record.block) entries.push(entry);
    else entries[record.index] = record;
  }
  return entries;
}
