import type { WorkspaceId } from '../tables.ts';
import { type RowScope, setRowScope } from './rowSecurity.ts';

const BEGIN = 'begin isolation level read committed';
/**
 * Milliseconds that one attempt of a write waits for the lock of another process. Meanwhile it occupies a connection; after
 * that other writes may have the connection (writeQueue.ts).
 */
const ATTEMPT_MS = 250;

/** The lock of writes that belong to no workspace: an advisory lock, a different one for each schema of the database. */
export const LOCK_UNSCOPED = 'select pg_advisory_xact_lock(7362663, hashtext(current_schema()))';

/** SQL that begins a write: it takes `lock`, and later statements wait at most `waitMs` milliseconds for other locks. */
export function beginWrite(scope: RowScope, lock: string, waitMs: number): string {
  return `${BEGIN}; ${setRowScope(scope)}; set local lock_timeout = ${Math.min(ATTEMPT_MS, waitMs)}; ${lock}; set local lock_timeout = ${waitMs}`;
}

/**
 * SQL that begins a step of the schema. It waits without a limit for another process that migrates, but only `waitMs`
 * milliseconds for a table in use: all readers of that table would queue behind it.
 */
export function beginMigration(waitMs: number): string {
  return `${BEGIN}; ${setRowScope('*')}; set local lock_timeout = 0; ${LOCK_UNSCOPED}; set local lock_timeout = ${waitMs}`;
}

/**
 * SQL that locks a workspace for a write and stores `mark` in its row. Writes of one workspace run one after the other in all
 * processes, so what a write has read still holds when it writes. If the write fails, no row has its mark, and reads go to the
 * primary.
 */
export function lockWorkspace(id: WorkspaceId, mark: number): string {
  return `update workspaces set mark = ${mark} where id = ${Number(id)}`;
}
