import type { Database } from './database.ts';

const ENTRIES_MAX = 1000;

/**
 * Caches what `read` finds by its key until the next commit of any process, so its result is never older than that of a new
 * read. Where the database has no version it reads every time. A key that was not found is not cached.
 */
export function cacheWhileUnchanged<Found>(
  db: Pick<Database, 'version'>,
  read: (key: string) => Promise<Found | null>,
): (key: string) => Promise<Found | null> {
  const cached = new Map<string, Found>();
  let cachedVersion: number | null = null;
  return async (key) => {
    const version = db.version();
    if (version === null) return read(key);
    if (version !== cachedVersion || cached.size >= ENTRIES_MAX) cached.clear();
    cachedVersion = version;
    const hit = cached.get(key);
    if (hit !== undefined) return hit;
    const found = await read(key);
    // Another call may have seen a newer version while this one was reading an older state.
    if (found !== null && cachedVersion === version) cached.set(key, found);
    return found;
  };
}
