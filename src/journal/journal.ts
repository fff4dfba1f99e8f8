import { deleteDB, openDB, type IDBPDatabase } from 'idb';

// The one thing of contacts that the browser keeps: the list under way at the desk, so that a crash loses nothing. No
// token is in it. Signing out deletes it.

/** Consoles for several services can share an origin: each service has a desk of its own. */
export function journalName(service: string): string {
  return `sendroom-desk ${service}`;
}

/** So many are handed over in one go: more would hold up the page. */
const BATCH = 250;

/** A list and its entries, as last written. */
export type JournalContents<List, Entry> = { list: List; entries: Entry[] };

export class Journal<List, Entry extends { index: number }> {
  readonly #database: IDBPDatabase;

  private constructor(database: IDBPDatabase) {
    this.#database = database;
  }

  /** `onDeleted` is told when the journal is deleted under us: by signing out, in this tab or another. */
  static async open<List, Entry extends { index: number }>(
    service: string,
    onDeleted: () => void,
  ): Promise<Journal<List, Entry>> {
    const database = await openDB(journalName(service), 1, {
      upgrade(fresh) {
        fresh.createObjectStore('list');
        fresh.createObjectStore('entries', { keyPath: 'index' });
      },
      blocking: () => {
        database.close();
        onDeleted();
      },
      // A sign-out can take it away without asking (Clear-Site-Data).
      terminated: onDeleted,
    });
    return new Journal(database);
  }

  async read(): Promise<JournalContents<List, Entry> | null> {
    const list = (await this.#database.get('list', 'current')) as List | undefined;
    if (list === undefined) return null;
    return { list, entries: (await this.#database.getAll('entries')) as Entry[] };
  }

  /** Writes a new list in the place of the old one: all of it or, when something fails, nothing. */
  async replace(list: List, entries: readonly Entry[]): Promise<void> {
    const writing = this.#database.transaction(['list', 'entries'], 'readwrite');
    const stored = writing.objectStore('entries');
    await stored.clear();
    for (let start = 0; start < entries.length; start += BATCH) {
      await Promise.all(entries.slice(start, start + BATCH).map((entry) => stored.put(entry)));
    }
    await writing.objectStore('list').put(list, 'current');
    await writing.done;
  }

  async saveList(list: List): Promise<void> {
    await this.#database.put('list', list, 'current');
  }

  async saveEntry(entry: Entry): Promise<void> {
    await this.#database.put('entries', entry);
  }

  async clear(): Promise<void> {
    const writing = this.#database.transaction(['list', 'entries'], 'readwrite');
    await Promise.all([writing.objectStore('list').clear(), writing.objectStore('entries').clear(), writing.done]);
  }

  close(): void {
    this.#database.close();
  }
}

/** Waits for other tabs to let go of it. */
export function deleteJournal(service: string): Promise<void> {
  return deleteDB(journalName(service));
}
