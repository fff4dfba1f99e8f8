import { DatabaseBusyError, ReadTimeoutError } from '../database/databaseErrors.ts';
import { READ_LIMIT_MS, ReadLimiter } from '../database/readLimiter.ts';
import type { Workspace } from '../database/workspace.ts';

/** For what takes long: one at a time in each workspace, so that no workspace waits for another. */
export class WorkspaceTurns {
  readonly #limiter = new ReadLimiter({ limitMs: READ_LIMIT_MS, max: Infinity, maxPerWorkspace: 1 });
  readonly #sentence: string;

  /** `sentence` says what takes long. */
  constructor(sentence: string) {
    this.#sentence = sentence;
  }

  /** Throws `DatabaseBusyError` where `act` has not begun after some seconds. */
  async run<Value>({ id }: Workspace, act: () => Promise<Value>): Promise<Value> {
    try {
      return await this.#limiter.run(id, act);
    } catch (error) {
      if (!(error instanceof ReadTimeoutError)) throw error;
      throw new DatabaseBusyError(error, this.#sentence);
    }
  }
}
