import type { Command } from 'commander';
import { openDatabase } from '../../../database/openDatabase.ts';
import { Replication } from '../../../database/postgres/replication.ts';
import { findObstacles } from '../../../database/postgres/replicationChecks.ts';
import { parsePostgresUrl } from '../../../database/postgres/postgresConnections.ts';
import { findPlace } from '../../../workspaces/move.ts';
import { CommandError, type Terminal } from '../../terminal/terminal.ts';
import { parsePostgresAddress, parseServiceAddress, workspaceCommand } from '../arguments.ts';
import type { CommandResult, RunWithDatabaseUrl } from '../runCommand.ts';
import { cancelMove, moveWorkspace } from './moveWorkspace.ts';

type Options = { workspace: string; to: string; source?: string; publicUrl?: string; cancel?: boolean };

export function addWorkspaceMoveCommand(workspace: Command, run: RunWithDatabaseUrl): void {
  workspaceCommand(workspace, 'move', 'move a workspace to another PostgreSQL database while it is used')
    .requiredOption('--to <url>', 'target, such as postgres://postgres@host/sendroom', parsePostgresAddress)
    .option('--public-url <url>', 'address of the service there, which clients are told', parseServiceAddress)
    .option(
      '--source <url>',
      "this database, as the target's server reaches it (default: DATABASE_URL)",
      parsePostgresAddress,
    )
    .option('--cancel', 'give up an unfinished move and delete the copy')
    .action((options: Options) => run((databaseUrl, terminal) => open(databaseUrl, options, terminal)));
}

async function open(databaseUrl: string, options: Options, terminal: Terminal): Promise<CommandResult> {
  const { workspace: uuid, to, source: reachable = databaseUrl, publicUrl, cancel: isCancelled = false } = options;
  if (parsePostgresUrl(databaseUrl) === null)
    throw new CommandError('DATABASE_URL must be a PostgreSQL database. The command move copies a file to one.');
  if (publicUrl === undefined && !isCancelled)
    throw new CommandError('Give the address of the service there as --public-url.');
  await using replication = await Replication.connect({ source: databaseUrl, target: to, reachable }, uuid);
  if (!(await replication.lock())) throw new CommandError('Another command is moving this workspace.');
  const source = await openDatabase(databaseUrl);
  try {
    const hasMoved = (await findPlace(source, uuid))?.moved_to != null;
    const obstacles = hasMoved || isCancelled ? [] : await findObstacles(replication);
    if (obstacles.length > 0) throw new CommandError(obstacles.join('\n'));
    const target = await openDatabase(to);
    try {
      const move = { uuid, source, target, replication, terminal };
      return publicUrl === undefined || isCancelled ? await cancelMove(move) : await moveWorkspace(move, publicUrl);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
