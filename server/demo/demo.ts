import type { Database } from '../database/database.ts';
import type { Workspace } from '../workspaces/store.ts';

// What the demo holds comes from demoContacts.ts, demoEvents.ts and demoDomains.ts, as resources of the interface and
// seeded (random.ts); here they are written through the stores.

/** Fills an empty database with two workspaces; the answer is the first, with an access token to it. */
export async function makeDemo(_db: Database, _now: number): Promise<{ workspace: Workspace; token: string }> {
  throw new Error('not written yet');
}
