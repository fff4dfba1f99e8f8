import type { DeskEntry } from './entry.ts';

/** Entries of a chunk: changing one entry copies a chunk and the list of chunks, not half a million entries. */
const CHUNK = 1024;

/** The entries of a list by their index. It never changes: `with` returns another one, which shares what is the same. */
export class EntryList implements Iterable<DeskEntry> {
  static readonly empty = new EntryList([], 0);
  readonly #chunks: readonly (readonly DeskEntry[])[];
  readonly length: number;

  private constructor(chunks: readonly (readonly DeskEntry[])[], length: number) {
    this.#chunks = chunks;
    this.length = length;
  }

  /** `entries` are in the order of their indexes, which are 0, 1, 2 and so on. */
  static of(entries: readonly DeskEntry[]): EntryList {
    const count = Math.ceil(entries.length / CHUNK);
    const chunks = Array.from({ length: count }, (_, chunk) => entries.slice(chunk * CHUNK, (chunk + 1) * CHUNK));
    return new EntryList(chunks, entries.length);
  }

  at(index: number): DeskEntry | undefined {
    return this.#chunks[Math.floor(index / CHUNK)]?.[index % CHUNK];
  }

  /** With these entries in place of those of the same indexes. Entries of other indexes are ignored. */
  with(entries: readonly DeskEntry[]): EntryList {
    const chunks = [...this.#chunks];
    const copied = new Map<number, DeskEntry[]>();
    for (const entry of entries) {
      const number = Math.floor(entry.index / CHUNK);
      const chunk = copied.get(number) ?? chunks[number]?.slice();
      if (chunk === undefined || chunk[entry.index % CHUNK] === undefined) continue;
      chunk[entry.index % CHUNK] = entry;
      copied.set(number, chunk);
      chunks[number] = chunk;
    }
    return new EntryList(chunks, this.length);
  }

  *[Symbol.iterator](): Generator<DeskEntry> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  find(is: (entry: DeskEntry) => boolean): DeskEntry | undefined {
    for (const entry of this) if (is(entry)) return entry;
    return undefined;
  }

  filter(is: (entry: DeskEntry) => boolean): DeskEntry[] {
    return this.#chunks.flatMap((chunk) => chunk.filter(is));
  }
}
