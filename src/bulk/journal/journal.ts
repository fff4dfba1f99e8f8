import { deleteDB, openDB, type IDBPDatabase, type IDBPTransaction } from 'idb';

// The bulk list in IndexedDB, so that a crash loses nothing. It is the only contact data that the browser stores, contains no
// token, and is deleted at sign-out.

/** The name of the database. `place` is the URL of the service with the workspace's path: several may share an origin. */
export function journalName(place: string): string {
  return `sendroom-bulk ${place}`;
}

type Store = 'list' | 'entries';
const STORES: Store[] = ['list', 'entries'];

/** `left`: entries to process. `run`: its UUID for the service. `is_saved`: whether the receipt was downloaded. `format`: bulkStore.ts. */
export type JournalList = {
  readonly stage: string;
  readonly left?: number;
  readonly run?: string;
  readonly is_saved?: boolean;
  readonly format?: number;
};

export class Journal {
  readonly #database: IDBPDatabase;

  private constructor(database: IDBPDatabase) {
    this.#database = database;
  }

  /** `onDeleted` is called when a sign-out, in this tab or another, deletes the journal. */
  static async open(place: string, onDeleted: () => void): Promise<Journal> {
    return new Journal(await openDatabase(journalName(place), onDeleted));
  }

  /** Null if there is no list. Another version of the console may have written it. */
  async read(): Promise<{ list: unknown; entries: readonly unknown[] } | null> {
    const [list, entries] = await read(this.#database, async (reading) =>
      Promise.all([readList(reading), reading.objectStore('entries').getAll()]),
    );
    return list === undefined ? null : { list, entries: unpackEntries(entries) };
  }

  /** The text that was typed and not read yet. */
  async readTyped(): Promise<string> {
    return (await read(this.#database, readTyped)) ?? '';
  }

  async saveTyped(text: string): Promise<void> {
    const writing = this.#database.transaction(STORES, 'readwrite');
    const lists = writing.objectStore('list');
    const put = text === '' ? lists.delete('typed') : lists.put(text, 'typed');
    // The page may be left immediately.
    writing.commit();
    await Promise.all([put, writing.done]);
  }

  async replace(list: JournalList, entries: readonly JournalEntry[]): Promise<void> {
    const writing = this.#database.transaction(STORES, 'readwrite');
    const write = async () => {
      const stored = writing.objectStore('entries');
      await stored.clear();
      for (const block of packEntries(entries)) await stored.put(block);
      await writing.objectStore('list').put(list, 'current');
    };
    // A sign-out ends the transaction, and both reject.
    await Promise.all([write(), writing.done]);
  }

  async saveList(list: JournalList): Promise<void> {
    await this.#database.put('list', list, 'current');
  }

  /** Replaces the list, and entries by index. Many entries would block the page; `replace` doesn't. */
  async saveEntries(entries: readonly JournalEntry[], list: JournalList): Promise<void> {
    const writing = this.#database.transaction(STORES, 'readwrite');
    const write = async () => {
      const stored = writing.objectStore('entries');
      const puts = entries.map((entry) => stored.put(entry));
      puts.push(writing.objectStore('list').put(list, 'current'));
      // Without waiting for the puts: the page may be left immediately.
      writing.commit();
      await Promise.all(puts);
    };
    await Promise.all([write(), writing.done]);
  }

  async clear(): Promise<void> {
    const writing = this.#database.transaction(STORES, 'readwrite');
    await Promise.all([
      writing.objectStore('list').delete('current'),
      writing.objectStore('entries').clear(),
      writing.done,
    ]);
  }

  close(): void {
    this.#database.close();
  }
}

type Reading = IDBPTransaction<unknown, Store[]>;

/** Reads in one transaction. A sign-out ends it and rejects both promises; `database.get` would leave one unhandled. */
async function read<Found>(database: IDBPDatabase, look: (reading: Reading) => Promise<Found>): Promise<Found> {
  const reading = database.transaction(STORES);
  const [found] = await Promise.all([look(reading), reading.done]);
  return found;
}

const readList = (reading: Reading): Promise<unknown> => reading.objectStore('list').get('current');
const readTyped = (reading: Reading): Promise<string | undefined> =>
  reading.objectStore('list').get('typed') as Promise<string | undefined>;

async function openDatabase(name: string, onDeleted: () => void): Promise<IDBPDatabase> {
  const database = await openDB(name, 1, {
    upgrade(fresh, _before, _after, upgrading) {
      // If it fails, `openDB` rejects too.
      upgrading.done.catch(() => undefined);
      fresh.createObjectStore('list');
      fresh.createObjectStore('entries', { keyPath: 'index' });
    },
    blocking: () => {
      database.close();
      onDeleted();
    },
    // `Clear-Site-Data` at sign-out deletes the database without a `blocking` event.
    terminated: onDeleted,
  });
  return database;
}

/** Null if a sign-out has deleted it since: opening must not create it again. */
async function openExisting(name: string): Promise<IDBPDatabase | null> {
  let isNew = false;
  try {
    const database = await openDB(name, 1, {
      upgrade(_database, _before, _after, upgrading) {
        isNew = true;
        upgrading.done.catch(() => undefined);
        upgrading.abort();
      },
      blocking: () => database.close(),
    });
    return database;
  } catch (error) {
    if (isNew) return null;
    throw error;
  }
}

/** Null without a list. Creates no journal. */
export async function readListOf(place: string): Promise<JournalList | null> {
  const name = journalName(place);
  const names = await listJournals(place);
  return names.includes(name) ? (((await readIn(name, readList)) as JournalList | undefined) ?? null) : null;
}

/** A text that was not read yet counts as a list in stage `typed`. */
export async function readLists(names: readonly string[]): Promise<JournalList[]> {
  const found = await Promise.all(
    names.map(async (name) => [await readIn(name, readList), (await readIn(name, readTyped)) && { stage: 'typed' }]),
  );
  return found.flat().filter((list): list is JournalList => Boolean(list));
}

/** How many entries a run or an undo has left; null if none has begun, or it has ended. */
export function countLeft({ stage, left = 0 }: JournalList): number | null {
  return stage === 'run' || stage === 'undo' ? left : null;
}

/** The names of the journals of `place` and its workspaces. */
export async function listJournals(place: string): Promise<string[]> {
  const own = journalName(place);
  const databases = await indexedDB.databases();
  return databases.flatMap(({ name }) => (name === own || name?.startsWith(`${own}/w/`) ? [name] : []));
}

async function readIn<Found>(name: string, look: (reading: Reading) => Promise<Found>): Promise<Found | undefined> {
  const database = await openExisting(name);
  if (database === null) return undefined;
  try {
    return await read(database, look);
  } finally {
    database.close();
  }
}

/** Waits until other tabs have closed the journal. */
export async function deleteJournal(name: string): Promise<void> {
  try {
    await deleteDB(name);
  } catch (error) {
    // The browser was already deleting it (`Clear-Site-Data`), and aborts requests in between.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    await deleteDB(name);
  }
}

type JournalEntry = { readonly index: number };

/** A record takes long to write and read, so a new list is in blocks, with negative keys. Changed entries have their own records. */
type Block = { readonly index: number; readonly block: readonly JournalEntry[] };

/** Entries of a block, which takes a few milliseconds to write. */
const BLOCK = 1000;

export function packEntries(entries: readonly JournalEntry[]): Block[] {
  const count = Math.ceil(entries.length / BLOCK);
  return Array.from({ length: count }, (_, number) => ({
    index: number - count,
    block: entries.slice(number * BLOCK, (number + 1) * BLOCK),
  }));
}

/** `records` are in the order of their keys. */
export function unpackEntries(records: readonly (Block | JournalEntry)[]): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const record of records) {
    if ('block' in record) for (const entry of record.block) entries.push(entry);
    else entries[record.index] = record;
  }
  return entries;
}
