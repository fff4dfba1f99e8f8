import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import type { Log } from '../settings/log.ts';
import { forEachWorkspace } from '../workspaces/forEachWorkspace.ts';
import { findUnfinishedWorkspaces, finishErasures } from './finishErasures.ts';

/** Milliseconds between two looks for erasures that another process has left unfinished. */
const PAUSE = 10_000;
const FAILURE = "events of an erased contact couldn't be deleted";

/** Finishes erasures while the service runs: its own, and those that a process left which was killed. */
export class ErasureJob {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #log: Log;
  #woken = Promise.withResolvers<void>();

  constructor(database: Database, now: () => number, log: Log) {
    this.#database = database;
    this.#now = now;
    this.#log = log;
  }

  /** There is something to finish. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Until `signal` aborts. Never rejects: errors are logged, and the job goes on. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#woken = Promise.withResolvers();
      await this.#finishAll(signal).catch((error: unknown) => {
        this.#log.error({ err: error }, FAILURE);
      });
      const pause = new AbortController();
      // Only the signal and a new erasure end the pause early.
      const paused = delay(PAUSE, null, { signal: AbortSignal.any([signal, pause.signal]), ref: false }).catch(
        () => {},
      );
      await Promise.race([paused, this.#woken.promise]);
      pause.abort();
    }
  }

  async #finishAll(signal: AbortSignal): Promise<void> {
    const workspaces = await findUnfinishedWorkspaces(this.#database);
    const onError = (error: unknown, { uuid }: Workspace) => this.#log.error({ err: error, workspace: uuid }, FAILURE);
    await forEachWorkspace(workspaces, { signal, onError }, (workspace) =>
      finishErasures(workspace, this.#database, { now: this.#now, signal }),
    );
  }
}
