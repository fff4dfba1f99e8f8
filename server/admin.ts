import { Command, CommanderError } from 'commander';
import { addAlarmCommands } from './cli/admin/alarms.ts';
import { addIndexCommands } from './cli/admin/attributeIndex.ts';
import { addBackupCommand } from './cli/admin/files/backup.ts';
import { addVerifyCommand } from './cli/admin/verify.ts';
import { addCompactCommand } from './cli/admin/files/compact.ts';
import { addExportCommand } from './cli/admin/files/export.ts';
import { addImportCommand } from './cli/admin/files/import.ts';
import { addHistoryCommand } from './cli/admin/history.ts';
import { addLogCommand } from './cli/admin/log.ts';
import { addMemberCommands } from './cli/admin/member.ts';
import { addDistributeCommand } from './cli/admin/files/distribute.ts';
import { addMigrateCommand } from './cli/admin/files/migrate.ts';
import { addMoveCommand } from './cli/admin/files/move.ts';
import { addWorkspaceMoveCommand } from './cli/admin/moving/command.ts';
import { addPersonCommands } from './cli/admin/person.ts';
import { addRetentionCommands } from './cli/admin/retention.ts';
import { addRestoreCommand } from './cli/admin/files/restore.ts';
import { addSessionCommands } from './cli/admin/session.ts';
import type { CommandResult, RunWithDatabase, RunWithDatabaseUrl } from './cli/admin/runCommand.ts';
import { letReaderStop } from './cli/terminal/letReaderStop.ts';
import { Terminal, CommandError } from './cli/terminal/terminal.ts';
import { addTokenCommands } from './cli/admin/token.ts';
import { addUndoCommand } from './cli/admin/undo.ts';
import { addWorkspaceCommands } from './cli/admin/workspace.ts';
import { SettingError, readConfig } from './settings/config.ts';
import { openDatabase } from './database/openDatabase.ts';
import {
  CommitUncertainError,
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseGoneError,
  DatabaseUnavailableError,
} from './database/databaseErrors.ts';
import { commandLine, VERSION } from './settings/program.ts';

// `npm run admin -- ...` (docs/admin.md). Results go to standard output, everything else to standard error. Exit code 0:
// all done; 1: not or not all done; 2: the command was not understood.

letReaderStop(1);
const terminal = new Terminal(process.stderr);
const asJson = process.argv.includes('--json');

const runClosed: RunWithDatabaseUrl = async (work) => {
  const { databaseUrl, upstreamUrl } = readConfig(process.env);
  if (upstreamUrl !== null)
    throw new SettingError('A gateway has no data of its own: set DATABASE_URL instead of UPSTREAM_URL.');
  print(await work(databaseUrl, terminal));
};

const run: RunWithDatabase = (work, options) =>
  runClosed(async (databaseUrl) => {
    const database = await openDatabase(databaseUrl, options);
    try {
      return await work(database, terminal);
    } finally {
      await database.close();
    }
  });

const program = new Command(commandLine('admin'))
  .description('Manages the database in DATABASE_URL. A service may be running.')
  .version(VERSION, '--version', 'print the version')
  .option('--json', 'print the result as one JSON value on the last line')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('Run with --help to list commands.')
  .exitOverride();
addWorkspaceMoveCommand(addWorkspaceCommands(program, run), runClosed);
addTokenCommands(program, run);
addMemberCommands(program, run);
addSessionCommands(program, run);
addImportCommand(program, run);
addUndoCommand(program, run);
addExportCommand(program, run);
addIndexCommands(program, run);
addVerifyCommand(program, run);
addHistoryCommand(program, run);
addLogCommand(program, run);
addAlarmCommands(program, run);
addPersonCommands(program, run);
addRetentionCommands(program, run);
addCompactCommand(program, run);
addBackupCommand(program, run);
addRestoreCommand(program, runClosed);
addMoveCommand(program, run);
addMigrateCommand(program, run);
addDistributeCommand(program, run);

await program.parseAsync().catch(reportError);

function print({ value, text, isPartial = false, ifLost }: CommandResult): void {
  terminal.clear();
  const line = asJson ? JSON.stringify(value) : text;
  if (line !== '')
    process.stdout.write(`${line}\n`, (error) => {
      if (!error || ifLost === undefined) return;
      terminal.say(ifLost);
      process.exitCode = 1;
    });
  if (isPartial) process.exitCode = 1;
}

function reportError(error: unknown): void {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong; 0 is for --help.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    if (asJson && error.exitCode !== 0) console.log(JSON.stringify({ error: error.message }));
    return;
  }
  process.exitCode = 1;
  terminal.clear();
  const sentence = describeExpectedError(error);
  if (sentence === null) console.error(error);
  else console.error(sentence);
  if (asJson) console.log(JSON.stringify({ error: sentence ?? 'The command failed.' }));
}

/** What a person can act on; null for anything unforeseen, which keeps its stack. */
function describeExpectedError(error: unknown): string | null {
  if (error instanceof DatabaseBusyError) return `${error.message} Try again when it is done.`;
  const expected = [
    CommandError,
    SettingError,
    DatabaseUnavailableError,
    DatabaseFullError,
    DatabaseGoneError,
    CommitUncertainError,
  ];
  const isExpected = expected.some((kind) => error instanceof kind);
  return isExpected ? (error as Error).message : null;
}
