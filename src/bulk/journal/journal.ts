import { deleteDB, openDB, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { type JournalEntry, packEntries, unpackEntries } from './blocks.ts';

// The list at the desk, in IndexedDB, so that a crash loses nothing. It is the only contact data that the browser stores.
// It contains no token, and is deleted at sign-out.

/**
 * The name of the database. Consoles for several services may share an origin, and people have several workspaces, so the name
 * contains `place`: the URL of the service, with the path of the workspace.
 */
export function journalName(place: string): string {
  return `sendroom-desk ${place}`;
}

type Store = 'list' | 'entries';
const STORES: Store[] = ['list', 'entries'];

/**
 * What the journal knows of a list: its stage, how many entries are still to be processed, and once it has ended, whether its
 * receipt was downloaded.
 */
export type JournalList = {
  readonly stage: string;
  readonly left?: number;
  readonly is_saved?: boolean;
  /** Of what the desk stores. */
  readonly format?: number;
};

export class Journal {
  readonly #database: IDBPDatabase;

  private constructor(database: IDBPDatabase) {
    this.#database = database;
  }

  /** `onDeleted` is called when the journal is deleted by a sign-out, in this tab or another. */
  static async open(place: string, onDeleted: () => void): Promise<Journal> {
    return new Journal(await openDatabase(journalName(place), onDeleted));
  }

  /** The list as last written, or null when there is none. Another version of the console may have written it. */
  async read(): Promise<{ list: unknown; entries: readonly unknown[] } | null> {
    const [list, entries] = await read(this.#database, async (reading) =>
      Promise.all([readList(reading), reading.objectStore('entries').getAll()]),
    );
    return list === undefined ? null : { list, entries: unpackEntries(entries) };
  }

  /** Replaces the list and its entries in one transaction. */
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

  /** Replaces the list and the entries of the same indexes, in one transaction. Many entries would block the page; `replace` does not. */
  async saveEntries(entries: readonly JournalEntry[], list: JournalList): Promise<void> {
    const writing = this.#database.transaction(STORES, 'readwrite');
    const write = async () => {
      const stored = writing.objectStore('entries');
      const puts = entries.map((entry) => stored.put(entry));
      puts.push(writing.objectStore('list').put(list, 'current'));
      // Without waiting for the puts: what is shown already is not lost with a page that is left at once.
      writing.commit();
      await Promise.all(puts);
    };
    await Promise.all([write(), writing.done]);
  }

  async clear(): Promise<void> {
    const writing = this.#database.transaction(STORES, 'readwrite');
    await Promise.all([writing.objectStore('list').clear(), writing.objectStore('entries').clear(), writing.done]);
  }

  close(): void {
    this.#database.close();
  }
}

type Reading = IDBPTransaction<unknown, Store[]>;

/**
 * What `look` finds in one transaction. A sign-out ends that, and then both its promises reject; `database.get` would leave one
 * of them to nobody.
 */
async function read<Found>(database: IDBPDatabase, look: (reading: Reading) => Promise<Found>): Promise<Found> {
  const reading = database.transaction(STORES);
  const [found] = await Promise.all([look(reading), reading.done]);
  return found;
}

const readList = (reading: Reading): Promise<unknown> => reading.objectStore('list').get('current');

async function openDatabase(name: string, onDeleted: () => void): Promise<IDBPDatabase> {
  const database = await openDB(name, 1, {
    upgrade(fresh, _before, _after, upgrading) {
      // Where it fails, `openDB` rejects as well.
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

/** Opens a journal that was there a moment ago; null where a sign-out has deleted it since, which must not create it again. */
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

/** The list of a journal; null without one. Creates no journal. */
export async function readListOf(place: string): Promise<JournalList | null> {
  const name = journalName(place);
  const names = await listJournals(place);
  return names.includes(name) ? readListIn(name) : null;
}

/** The lists in journals of these names. */
export async function readLists(names: readonly string[]): Promise<JournalList[]> {
  return (await Promise.all(names.map(readListIn))).filter((list) => list !== null);
}

/** How many entries the run or the undo of a list has left; null where it was not begun or has ended. */
export function countLeft({ stage, left = 0 }: JournalList): number | null {
  return stage === 'run' || stage === 'undo' ? left : null;
}

/** The names of the journals of `place`, and of the workspaces below it. */
export async function listJournals(place: string): Promise<string[]> {
  const own = journalName(place);
  const databases = await indexedDB.databases();
  return databases.flatMap(({ name }) => (name === own || name?.startsWith(`${own}/w/`) ? [name] : []));
}

async function readListIn(name: string): Promise<JournalList | null> {
  const database = await openExisting(name);
  if (database === null) return null;
  try {
    return ((await read(database, readList)) as JournalList | undefined) ?? null;
  } finally {
    database.close();
  }
}

/** Deletes a journal by its name. Waits until other tabs have closed it. */
export async function deleteJournal(name: string): Promise<void> {
  try {
    await deleteDB(name);
  } catch (error) {
    // The browser was deleting it already, because of `Clear-Site-Data`, and gives up what came in between.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    await deleteDB(name);
  }
}
