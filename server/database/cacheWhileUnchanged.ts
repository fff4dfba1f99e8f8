import type { Database } from './database.ts';

const KEPT_MAX = 1000;

/**
 * `read`, which finds something by its key, but asks again only when something was committed since, by whatever process:
 * as strict as reading every time. Where the database cannot tell, it asks every time; what is not found is not kept.
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
    if (version !== cachedVersion || cached.size >= KEPT_MAX) cached.clear();
    cachedVersion = version;
    const known = cached.get(key);
    if (known !== undefined) return known;
    const found = await read(key);
    // Another call may have met a commit while this one was reading what was there before it.
    if (found !== null && cachedVersion === version) cached.set(key, found);
    return found;
  };
}
