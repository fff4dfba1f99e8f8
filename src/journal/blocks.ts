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

/** The entries of all records, in the order of their keys. Another version of the console may have written them, so they can be anything. */
export function unpackEntries(records: readonly unknown[]): unknown[] {
  const entries: unknown[] = [];
  for (const record of records) {
    if (isBlock(record)) for (const entry of record.block) entries.push(entry);
    else if (isOfPlace(record, entries.length)) entries[record.index] = record;
    else entries.push(record);
  }
  return entries;
}

const isBlock = (record: unknown): record is Block =>
  typeof record === 'object' && record !== null && 'block' in record && Array.isArray(record.block);

/** Whether a record takes the place of an entry before it. */
const isOfPlace = (record: unknown, length: number): record is JournalEntry =>
  typeof record === 'object' &&
  record !== null &&
  'index' in record &&
  Number.isInteger(record.index) &&
  Number(record.index) >= 0 &&
  Number(record.index) < length;
