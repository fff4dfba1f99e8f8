import { Argument, type Command } from 'commander';
import { parseUuid } from './arguments.ts';
import { STANDARD_STREAM } from '../terminal/files.ts';
import { writeNdjson } from './output.ts';
import { type Resource, RESOURCES, resourceTransfers } from './resources.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

export function addExportCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('export')
    .description('write lines of NDJSON that import takes')
    .addArgument(new Argument('<resource>', 'what to write').choices(RESOURCES))
    .argument('[file]', `a new file; ${STANDARD_STREAM} is standard output`, STANDARD_STREAM)
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .action((resource: Resource, file: string, options: { workspace: string }, command: Command) => {
      if (file === STANDARD_STREAM && command.optsWithGlobals()['json']) {
        command.error('error: --json needs a file: standard output is for the lines');
      }
      return run(async (database, terminal) => {
        const workspace = await requireWorkspace(database, options.workspace);
        // One transaction, so that the export is consistent.
        const lines = await database.read(workspace, (scope) =>
          writeNdjson(file, resourceTransfers[resource].walk(scope), (count) =>
            terminal.progress(null, `${count.toLocaleString('en')} lines`),
          ),
        );
        const text = file === STANDARD_STREAM ? '' : `Exported ${resource}: ${lines.toLocaleString('en')}.`;
        return { value: { lines }, text };
      });
    });
}
