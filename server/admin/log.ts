import type { Command } from 'commander';
import { COMMAND } from '../database/author.ts';
import { writeLog } from '../database/writeLog.ts';
import { exportLog } from '../log/exportLog.ts';
import { STANDARD_STREAM } from '../terminal/files.ts';
import { parseUuid } from './arguments.ts';
import { writeNdjson } from './export.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

export function addLogCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('log')
    .description('the log of what happened in a workspace')
    .command('export')
    .description('write every line with its hash, oldest first, so that others can verify it')
    .argument('[file]', `a new file; ${STANDARD_STREAM} is standard output`, STANDARD_STREAM)
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .action((file: string, options: { workspace: string }, command: Command) => {
      if (file === STANDARD_STREAM && command.optsWithGlobals()['json']) {
        command.error('error: --json needs a file: standard output is for the lines');
      }
      return run(async (database, terminal) => {
        const workspace = await requireWorkspace(database, options.workspace);
        const entry = { action: 'export', author: COMMAND, details: { resource: 'log' } } as const;
        const lines = await writeNdjson(
          file,
          (count) => terminal.progress(null, `${count.toLocaleString('en')} lines`),
          {
            begin: () => database.write(workspace, (scope) => writeLog(scope, [entry], Date.now())),
            produce: (write) => database.read(workspace, (scope) => write(exportLog(scope))),
          },
        );
        const text = file === STANDARD_STREAM ? '' : `Exported the log: ${lines.toLocaleString('en')} lines.`;
        return { value: { lines }, text };
      });
    });
}
