import { setTimeout as delay } from 'node:timers/promises';
import { authorOf, type LogAuthor } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import type { WorkspaceId } from '../database/schema/tables.ts';
import type { Workspace, WorkspacePrincipal } from '../database/workspace.ts';
import { type LogEntry, writeLog } from '../database/changeLog/writeLog.ts';
import type { Log } from '../settings/log.ts';

const RETRY_DELAY_MS = 1000;
const BATCH_SIZE = 100;
/** Lines of a workspace that wait. More are not kept: somebody with a token could fill the memory while the database takes no writes. */
const WAITING_MAX = 10_000;

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

type Line = { entry: LogEntry; now: number };

/** Nobody waits for these lines: an import that has the workspace locked must not keep people signed in or hide refusals. */
export class AccessLog {
  readonly #database: Pick<Database, 'write'>;
  readonly #log: Log;
  /** The lines that wait, by workspace, the oldest first. */
  readonly #waiting = new Map<WorkspaceId, Line[]>();
  readonly #writing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(database: Pick<Database, 'write'>, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  addRefusal(workspace: Workspace, author: LogAuthor, reason: RefusedSignIn, now: number): void {
    this.#add(workspace, { action: 'sign_in_refused', author, details: { reason } }, now);
  }

  addSignOut(principal: WorkspacePrincipal, requestId: string, now: number): void {
    this.#add(principal.workspace, { action: 'sign_out', author: authorOf({ ...principal, requestId }) }, now);
  }

  addSessionEnd(workspace: Workspace, author: LogAuthor, details: Record<string, string>, now: number): void {
    this.#add(workspace, { action: 'session_end', author, details }, now);
  }

  /** Waits for the lines that are left. They are given up where the database takes no writes now. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#writing);
  }

  #add(workspace: Workspace, entry: LogEntry, now: number): void {
    const waiting = this.#waiting.get(workspace.id);
    if (waiting !== undefined) {
      if (waiting.length < WAITING_MAX) waiting.push({ entry, now });
      return;
    }
    const lines = [{ entry, now }];
    this.#waiting.set(workspace.id, lines);
    const writing = this.#writeAll(workspace, lines).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** One write of a workspace at a time, so that many lines that wait for its lock do not hold many connections. */
  async #writeAll(workspace: Workspace, lines: Line[]): Promise<void> {
    let isFailing = false;
    while (lines.length > 0) {
      const batch = lines.slice(0, BATCH_SIZE);
      try {
        await this.#database.write(workspace, async (scope) => {
          for (const { entry, now } of batch) await writeLog(scope, [entry], now);
        });
        lines.splice(0, batch.length);
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#log.warn({ err: error }, 'entries about sign-ins and sign-outs are not in the log yet');
        isFailing = true;
        if (this.#isClosed) return;
        await delay(RETRY_DELAY_MS, null, { ref: false });
      }
    }
    // In the same turn as the look whether there are more.
    this.#waiting.delete(workspace.id);
  }
}
