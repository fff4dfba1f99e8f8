import { Argument, type Command } from 'commander';
import { uuid } from './arguments.ts';
import { STANDARD } from './files.ts';
import { writeLines } from './output.ts';
import { type Resource, RESOURCES, ways } from './resources.ts';
import type { Run } from './run.ts';
import { workspaceOf } from './workspace.ts';

export function addExportCommand(program: Command, run: Run): void {
  program
    .command('export')
    .description('write lines of NDJSON that import takes')
    .addArgument(new Argument('<resource>', 'what to write').choices(RESOURCES))
    .argument('[file]', `a new file; ${STANDARD} is standard output`, STANDARD)
    .requiredOption('--workspace <uuid>', 'ID of the workspace', uuid)
    .action((resource: Resource, file: string, options: { workspace: string }, command: Command) => {
      if (file === STANDARD && command.optsWithGlobals()['json']) {
        command.error('error: --json needs a file: standard output is for the lines');
      }
      return run(async (database, terminal) => {
        const workspace = await workspaceOf(database, options.workspace);
        // One state of the data, however long it takes.
        const lines = await database.read(workspace, (scope) =>
          writeLines(file, ways[resource].walk(scope), (count) =>
            terminal.progress(null, `${count.toLocaleString('en')} lines`),
          ),
        );
        const text = file === STANDARD ? '' : `Exported ${resource}: ${lines.toLocaleString('en')}.`;
        return { value: { lines }, text };
      });
    });
}
