import type { Command } from 'commander';
import { exportLog } from '../../auditLog/exportLog.ts';
import { STANDARD_STREAM } from '../terminal/files.ts';
import { parseNumber, workspaceCommand } from './arguments.ts';
import { exportLines } from './files/export.ts';
import type { RunWithDatabase } from './runCommand.ts';

export function addLogCommand(program: Command, run: RunWithDatabase): void {
  const log = program.command('log').description('the audit log of a workspace');
  workspaceCommand(log, 'export', 'export all entries with their hashes, oldest first')
    .argument('[file]', `a new file; ${STANDARD_STREAM} is standard output`, STANDARD_STREAM)
    .option('--after <number>', 'only entries after this number, the last of an earlier export', parseNumber)
    .action((file: string, { workspace, after = 0 }: { workspace: string; after?: number }, command: Command) =>
      exportLines(
        {
          resource: 'log',
          read: (scope) => exportLog(scope, after),
          sentence: (count) => `Exported the log: ${count} lines.`,
        },
        { file, workspace, command, run },
      ),
    );
}
