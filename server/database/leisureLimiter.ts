import { DatabaseBusyError, ReadTimeoutError } from './databaseErrors.ts';
import { ReadLimiter } from './readLimiter.ts';
import type { WorkspaceId } from './tables.ts';

/** Reads in flight of `readAtLeisure`, each with a connection of its own. */
export const LEISURE_MAX = 2;

/** Queues the reads of `readAtLeisure`. */
export class LeisureLimiter {
  readonly #limiter = new ReadLimiter({ max: LEISURE_MAX, maxPerWorkspace: 1 });

  /** Throws `DatabaseBusyError` where `act` has not begun in time. */
  async run<Value>(id: WorkspaceId, act: () => Promise<Value>): Promise<Value> {
    try {
      return await this.#limiter.run(id, act);
    } catch (error) {
      if (!(error instanceof ReadTimeoutError)) throw error;
      throw new DatabaseBusyError(error, 'Another file about a person is being written.');
    }
  }
}
