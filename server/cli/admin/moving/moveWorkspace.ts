import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import { REPLICATED_TABLES, type Replication } from '../../../database/postgres/replication.ts';
import type { Workspace } from '../../../database/workspace.ts';
import { deleteWorkspace } from '../../../workspaces/deleteWorkspace.ts';
import {
  activate,
  addArriving,
  allowWrites,
  compareContents,
  copyAccess,
  findPlace,
  findPlaceOfId,
  isArriving,
  setMoved,
  stopWrites,
  type WorkspacePlace,
} from '../../../workspaces/move.ts';
import { findWorkspace } from '../../../workspaces/store.ts';
import { storeVerification } from '../../../workspaces/upkeep.ts';
import { toPrintable } from '../../terminal/printable.ts';
import { CommandError, type Terminal } from '../../terminal/terminal.ts';
import type { CommandResult } from '../runCommand.ts';
import { sayFirst, verifyWorkspace } from '../verify.ts';

/** Milliseconds between two looks at the copy, and while writes wait. */
const PAUSE_MS = 500;
const SHORT_PAUSE_MS = 20;
/** Bytes of the log that the target may lack when writes are stopped: less than a second's work. */
const LAG_MAX = 1024 * 1024;
/** Milliseconds that writes may wait until the target has all. */
const CATCH_UP_LIMIT_MS = 30_000;
/** The target's server tries again every few seconds. */
const FAILURES_MAX = 3;

export type Move = {
  uuid: string;
  source: Database;
  target: Database;
  replication: Replication;
  terminal: Terminal;
};

/** Moves a workspace to the service at `address`, or continues. Each step may be done again, whatever was interrupted. */
export async function moveWorkspace(move: Move, address: string): Promise<CommandResult> {
  const { target, replication, terminal, uuid } = move;
  const workspace = await requireMovable(move, address);
  const title = toPrintable(workspace.name);
  let rows: number | null = null;
  let seconds: number | null = null;
  if (await isActive(target, uuid)) {
    await replication.drop();
  } else {
    if (workspace.moved_to === null) await copy(move, workspace);
    const start = performance.now();
    rows = await switchOver(move, workspace, address);
    seconds = Math.round((performance.now() - start) / 100) / 10;
  }
  terminal.say('5 of 5: the target has the workspace. Verifying it there.');
  const arrived = (await findWorkspace(target, uuid)) ?? workspace;
  const errors = await verifyWorkspace(arrived, target, terminal);
  if (errors.length === 0) await storeVerification(arrived, target, Date.now());
  sayFirst(errors, terminal);
  const waited = seconds === null ? '' : ` Changes waited for ${seconds} s.`;
  const verified = errors.length === 0 ? 'No errors found.' : `Errors found: ${errors.length.toLocaleString('en')}.`;
  return {
    value: { uuid, moved_to: address, rows, seconds_read_only: seconds, errors: errors.length },
    text: `The workspace ${title} has moved to ${address}.${waited} ${verified} Its old rows are still here: delete them with workspace delete.`,
    isPartial: errors.length > 0,
  };
}

/** The workspace in the source, if it can move to this target. */
async function requireMovable({ source, target, uuid }: Move, address: string): Promise<Workspace> {
  const workspace = await findWorkspace(source, uuid);
  if (workspace === null) throw new CommandError('Unknown workspace. See workspace list.');
  const there = await findPlace(target, uuid);
  if (workspace.moved_to !== null) {
    if (workspace.moved_to !== address || there === null)
      throw new CommandError(`This workspace has already moved to ${workspace.moved_to}.`);
    return workspace;
  }
  if (workspace.suspended) throw new CommandError('This workspace is suspended. Resume it first.');
  if (there !== null && !isArriving(there)) {
    throw new CommandError(
      there.moved_to === null
        ? 'The target already has this workspace.'
        : 'The target still has the rows from before this workspace moved here. Delete them there with workspace delete.',
    );
  }
  const other: WorkspacePlace | null = await findPlaceOfId(target, workspace.id);
  if (other !== null && other.uuid !== uuid) {
    throw new CommandError(
      `The target numbers another workspace, ${other.uuid}, with ${workspace.id} as well. Choose a target without it, such as a new database.`,
    );
  }
  return workspace;
}

async function isActive(target: Database, uuid: string): Promise<boolean> {
  const there = await findPlace(target, uuid);
  return there !== null && !isArriving(there);
}

/** Copies the content until the target is nearly up to date. */
async function copy({ target, replication, terminal, uuid }: Move, workspace: Workspace): Promise<void> {
  terminal.say('1 of 5: copying while the workspace is used.');
  await addArriving(target, workspace);
  await replication.start(workspace.id);
  const { failures } = await replication.readProgress();
  for (;;) {
    const progress = await replication.readProgress();
    if (progress.failures >= failures + FAILURES_MAX)
      throw new CommandError("The target's server fails to copy, and its log says why. Run this again afterwards.");
    if (progress.tables === REPLICATED_TABLES.length) break;
    const rows = progress.rows.toLocaleString('en');
    const share = progress.tables / REPLICATED_TABLES.length;
    terminal.progress(
      share,
      `${progress.tables} of ${REPLICATED_TABLES.length} tables copied, ${rows} rows of the next`,
    );
    await delay(PAUSE_MS);
  }
  // Also after an interruption: nothing follows unless the rows are still those that were copied.
  const there = await findPlace(target, uuid);
  if (there === null) throw new CommandError('The target lost the copy. Run this with --cancel, then move again.');
  const warning = await target.analyze();
  if (warning !== null) terminal.say(toPrintable(warning, 500));
  terminal.say('2 of 5: following the changes.');
  for (;;) {
    const lag = await replication.readLag(await replication.readEnd());
    if (lag <= LAG_MAX) return;
    terminal.progress(null, `the target lacks ${Math.ceil(lag / LAG_MAX).toLocaleString('en')} MiB of the log`);
    const { failures: more } = await replication.readProgress();
    if (more >= failures + FAILURES_MAX)
      throw new CommandError("The target's server fails to follow, and its log says why. Run this again afterwards.");
    await delay(PAUSE_MS);
  }
}

/** Stops changes in the source, and continues in the target. Gives the number of rows. Before the decision an error lets the source continue. */
async function switchOver(move: Move, workspace: Workspace, address: string): Promise<number> {
  const { source, target, replication, terminal, uuid } = move;
  let rows: number;
  let renamed;
  try {
    terminal.say('3 of 5: changes wait.');
    if (workspace.moved_to === null) await stop(move, workspace);
    const compared = await compareContents(source, target, workspace.id, REPLICATED_TABLES);
    sayFirst(compared.differences, terminal);
    if (compared.differences.length > 0)
      throw new CommandError('The copy differs, so the workspace stays here. Run this with --cancel, then move again.');
    rows = compared.rows;
    renamed = await copyAccess(source, target, workspace.id);
  } catch (error) {
    // Does nothing once it has moved.
    await allowWrites(source, uuid).catch(() =>
      terminal.say('The workspace still accepts no changes. Run this again, also with --cancel.'),
    );
    throw error;
  }
  terminal.say('4 of 5: both have the same rows. Deciding that the workspace has moved.');
  if (workspace.moved_to === null) await setMoved(source, workspace.id, address);
  // First, so that nothing that happens to the source's rows reaches a workspace that is used.
  await replication.drop();
  await activate(target, workspace.id, renamed);
  return rows;
}

async function stop({ source, replication, uuid }: Move, workspace: Workspace): Promise<void> {
  // After an interruption it's stopped already.
  const isStopped = (await findPlace(source, uuid))?.read_only === true;
  if (!isStopped && !(await stopWrites(source, workspace)))
    throw new CommandError('This workspace was suspended meanwhile. Resume it first.');
  const end = await replication.readEnd();
  const deadline = performance.now() + CATCH_UP_LIMIT_MS;
  while ((await replication.readLag(end)) > 0) {
    if (performance.now() > deadline)
      throw new CommandError('The target did not catch up, so the workspace stays here. Run this again.');
    await delay(SHORT_PAUSE_MS);
  }
}

/** Gives up an unfinished move: the workspace stays in the source, and the copy is deleted. */
export async function cancelMove({ source, target, replication, terminal, uuid }: Move): Promise<CommandResult> {
  const here = await findPlace(source, uuid);
  const there = await findPlace(target, uuid);
  if (here !== null && here.moved_to !== null)
    throw new CommandError(
      `This workspace has already moved to ${here.moved_to}. Run this without --cancel to finish.`,
    );
  if (there !== null && !isArriving(there)) throw new CommandError('The target uses this workspace.');
  if (here !== null) await allowWrites(source, uuid);
  await replication.drop();
  const copied = there === null ? null : await findWorkspace(target, uuid);
  let deleted = 0;
  if (copied !== null) {
    await deleteWorkspace(copied, target, (rows) =>
      terminal.progress(null, `deleted ${(deleted += rows).toLocaleString('en')} rows`),
    );
  }
  return { value: { uuid, deleted }, text: 'The move was cancelled. The workspace is here, and the copy was deleted.' };
}
