import type { Database } from '../database/database.ts';
import type { Workspace } from '../workspaces/store.ts';

/** Fills an empty database with two workspaces; the answer is the first, with an access token to it. */
export async function makeDemo(_db: Database, _now: number): Promise<{ workspace: Workspace; token: string }> {
  throw new Error('not written yet');
}
