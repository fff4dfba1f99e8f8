import { Argument, type Command } from 'commander';
import { COMMAND } from '../database/author.ts';
import { writeLog } from '../database/writeLog.ts';
import { parseUuid } from './arguments.ts';
import { STANDARD_STREAM, writeNewFile } from '../terminal/files.ts';
import { type Resource, RESOURCES } from './lineKinds.ts';
import { resourceTransfers } from './resources.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
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
        const entry = { action: 'export', author: COMMAND, details: { resource } } as const;
        const lines = await writeNdjson(
          file,
          (count) => terminal.progress(null, `${count.toLocaleString('en')} lines`),
          {
            begin: () => database.write(workspace, (scope) => writeLog(scope, [entry], Date.now())),
            // One transaction, so that the export is consistent.
            produce: (write) =>
              database.read(workspace, (scope) => write(resourceTransfers[resource].exportLines(scope))),
          },
        );
        const text = file === STANDARD_STREAM ? '' : `Exported ${resource}: ${lines.toLocaleString('en')}.`;
        return { value: { lines }, text };
      });
    });
}

type Export = {
  /** Called once the output is open, and before the first line: logs the export, so that no data leaves without a line. */
  begin: () => Promise<unknown>;
  /** Gives pages of lines to `write`, which gives the number of lines. */
  produce: (write: (pages: AsyncIterable<readonly string[]>) => Promise<number>) => Promise<number>;
};

/** Writes lines, and gives their number. Throws `CommandError`. */
export async function writeNdjson(
  file: string,
  onProgress: (count: number) => void,
  { begin, produce }: Export,
): Promise<number> {
  let count = 0;
  async function* toTexts(pages: AsyncIterable<readonly string[]>) {
    for await (const lines of pages) {
      count += lines.length;
      yield `${lines.join('\n')}\n`;
      onProgress(count);
    }
  }
  return writeOutput(file, async (send) => {
    await begin();
    return produce(async (pages) => {
      await send(toTexts(pages));
      return count;
    });
  });
}

type Send = (texts: AsyncIterable<string>) => Promise<void>;

/** Calls `work` once the output is open. To a new file, of its owner only, named when complete. Throws `CommandError`. */
export function writeOutput<Result>(file: string, work: (send: Send) => Promise<Result>): Promise<Result> {
  return file === STANDARD_STREAM ? work(toStandardOutput) : toFile(file, work);
}

async function toStandardOutput(chunks: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(chunks, process.stdout, { end: false });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EPIPE') throw error;
    throw new CommandError('Whoever read the output stopped before its end.');
  }
}

function toFile<Result>(file: string, work: (send: Send) => Promise<Result>): Promise<Result> {
  return writeNewFile(file, async (path) => {
    const stream = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    await once(stream, 'open');
    return work((texts) => pipeline(texts, stream));
  });
}
