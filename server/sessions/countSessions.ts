import type { Database } from '../database/database.ts';
import { IDLE_TIMEOUT_MS } from './store.ts';

/** The number of open sessions, of all processes on this data. `now` is in milliseconds. */
export async function countSessions(database: Database, now: number): Promise<number> {
  const { count } = await database.unscoped.readLong((trx) =>
    trx
      .selectFrom('sessions')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('expires_at', '>', now)
      .where('seen_at', '>', now - IDLE_TIMEOUT_MS)
      .executeTakeFirstOrThrow(),
  );
  return count;
}
