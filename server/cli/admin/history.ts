import type { Command } from 'commander';
import { exportSpans } from '../../domains/history/exportSpans.ts';
import { STANDARD_STREAM } from '../terminal/files.ts';
import { workspaceCommand } from './arguments.ts';
import { exportLines } from './files/export.ts';
import type { RunWithDatabase } from './runCommand.ts';

export function addHistoryCommand(program: Command, run: RunWithDatabase): void {
  const history = program.command('history').description('what the checks of domains found');
  workspaceCommand(history, 'export', 'export what was found, from when to when, as NDJSON')
    .argument('[file]', `a new file; ${STANDARD_STREAM} is standard output`, STANDARD_STREAM)
    .action((file: string, { workspace }: { workspace: string }, command: Command) =>
      exportLines(
        {
          resource: 'history',
          read: exportSpans,
          sentence: (count) => `Exported the history of domains: ${count} lines.`,
        },
        { file, workspace, command, run },
      ),
    );
}
