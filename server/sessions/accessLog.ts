import { setTimeout as delay } from 'node:timers/promises';
import { authorOf, type LogAuthor } from '../database/author.ts';
import type { Database } from '../database/database.ts';
import type { Workspace, WorkspacePrincipal } from '../database/workspace.ts';
import { writeLog } from '../database/writeLog.ts';
import type { Log } from '../settings/log.ts';

/** Milliseconds until a failed write is retried. */
const RETRY_DELAY_MS = 1000;

/** Why a sign-in with a known token, link or account was refused. */
export type RefusedSignIn =
  | 'token revoked'
  | 'token expired'
  | 'role reads nothing'
  | 'workspace suspended'
  | 'another workspace'
  | 'link used or expired'
  | 'token sign-in is off'
  | 'not invited'
  | 'email not verified';

/** Writes lines about sign-ins and sign-outs. Sign-ins that open a session have theirs with it (store.ts). */
export class AccessLog {
  readonly #database: Pick<Database, 'write'>;
  readonly #log: Log;
  readonly #writing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(database: Pick<Database, 'write'>, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  async writeRefusal(workspace: Workspace, author: LogAuthor, reason: RefusedSignIn, now: number): Promise<void> {
    const entry = { action: 'sign_in_refused', author, details: { reason } } as const;
    await this.#database.write(workspace, (scope) => writeLog(scope, [entry], now));
  }

  /** Nobody waits for it: an import that has the workspace locked must not keep people signed in. It is retried until it succeeds. */
  addSignOut(principal: WorkspacePrincipal, requestId: string, now: number): void {
    const writing = this.#writeSignOut(principal, requestId, now).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Waits for the lines that are left. They are given up where the database takes no writes now. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#writing);
  }

  async #writeSignOut(principal: WorkspacePrincipal, requestId: string, now: number): Promise<void> {
    const { workspace } = principal;
    const entry = { action: 'sign_out', author: authorOf({ ...principal, requestId }) } as const;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#database.write(workspace, (scope) => writeLog(scope, [entry], now));
        return;
      } catch (error) {
        if (attempt === 1) this.#log.warn({ err: error }, 'a sign-out is not in the log of changes yet');
        if (this.#isClosed) return;
        await delay(RETRY_DELAY_MS, null, { ref: false });
      }
    }
  }
}
