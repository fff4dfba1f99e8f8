import { Argument, type Command } from 'commander';
import { parseUuid } from './arguments.ts';
import { STANDARD_STREAM, toCommandError, resolveCallerPath } from '../terminal/files.ts';
import { type Resource, RESOURCES, resourceTransfers } from './resources.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError } from '../terminal/terminal.ts';

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

/** Characters written at a time. */
const CHUNK = 64 * 1024;

/** To a new file, of its owner only, named when complete. Gives the number of values. Throws `CommandError`. */
async function writeNdjson(
  file: string,
  values: AsyncIterable<unknown>,
  onProgress: (count: number) => void,
): Promise<number> {
  let count = 0;
  async function* chunks() {
    let chunk = '';
    for await (const value of values) {
      count++;
      chunk += `${JSON.stringify(value)}\n`;
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
      onProgress(count);
    }
    yield chunk;
  }
  if (file === STANDARD_STREAM) await toStandardOutput(chunks());
  else await toFile(file, chunks());
  return count;
}

async function toStandardOutput(chunks: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(chunks, process.stdout, { end: false });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EPIPE') throw error;
    throw new CommandError('Whoever read the output stopped before its end.');
  }
}

async function toFile(file: string, chunks: AsyncIterable<string>): Promise<void> {
  const path = resolveCallerPath(file);
  const name = toPrintable(file, 200);
  if (existsSync(path)) throw new CommandError(`${name} exists already: nothing is overwritten.`);
  const unfinished = `${path}.unfinished`;
  try {
    await pipeline(chunks, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw toCommandError(error, name, 'write');
  }
}
