import { deleteDB, openDB, type IDBPDatabase } from 'idb';

// The list at the desk, in IndexedDB, so that a crash loses nothing. It is the only contact data that the browser stores.
// It contains no token, and is deleted at sign-out.

/**
 * The name of the database. Consoles for several services may share an origin, so the name contains the URL of the
 * service.
 */
export function journalName(service: string): string {
  return `sendroom-desk ${service}`;
}

/** Entries written at a time. More would block the page. */
const BATCH = 250;

type JournalContents<List, Entry> = { list: List; entries: Entry[] };

export class Journal<List, Entry extends { index: number }> {
  readonly #database: IDBPDatabase;

  private constructor(database: IDBPDatabase) {
    this.#database = database;
  }

  /** `onDeleted` is called when the journal is deleted by a sign-out, in this tab or another. */
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
      // `Clear-Site-Data` at sign-out deletes the database without a `blocking` event.
      terminated: onDeleted,
    });
    return new Journal(database);
  }

  /** The list as last written, or null when there is none. */
  async read(): Promise<JournalContents<List, Entry> | null> {
    const list = (await this.#database.get('list', 'current')) as List | undefined;
    if (list === undefined) return null;
    return { list, entries: (await this.#database.getAll('entries')) as Entry[] };
  }

  /** Replaces the list and its entries in one transaction. */
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

/** Deletes the journal. Waits until other tabs have closed it. */
export function deleteJournal(service: string): Promise<void> {
  return deleteDB(journalName(service));
}
