import { Argument, type Command } from 'commander';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { COMMAND } from '../../../database/changeLog/author.ts';
import type { Scope } from '../../../database/scope.ts';
import { writeLog } from '../../../database/changeLog/writeLog.ts';
import { STANDARD_STREAM, writeNewFile } from '../../terminal/files.ts';
import { CommandError } from '../../terminal/terminal.ts';
import { workspaceCommand } from '../arguments.ts';
import { type Resource, RESOURCES } from '../lines/lineKinds.ts';
import { resourceTransfers } from '../lines/resources.ts';
import type { RunWithDatabase } from '../runCommand.ts';
import { requireWorkspace } from '../workspace.ts';

export function addExportCommand(program: Command, run: RunWithDatabase): void {
  workspaceCommand(program, 'export', 'write NDJSON that import accepts')
    .addArgument(new Argument('<resource>', 'what to export').choices(RESOURCES))
    .argument('[file]', `a new file; ${STANDARD_STREAM} is standard output`, STANDARD_STREAM)
    .action((resource: Resource, file: string, { workspace }: { workspace: string }, command: Command) =>
      exportLines(
        {
          resource,
          read: resourceTransfers[resource].exportLines,
          sentence: (count) => `Exported ${resource}: ${count}.`,
        },
        { file, workspace, command, run },
      ),
    );
}

type ExportedLines = {
  resource: string;
  read: (scope: Scope) => AsyncIterable<readonly string[]>;
  sentence: (count: string) => string;
};

type ExportCall = { file: string; workspace: string; command: Command; run: RunWithDatabase };

export function exportLines(
  { resource, read, sentence }: ExportedLines,
  { file, workspace: uuid, command, run }: ExportCall,
): Promise<void> {
  if (file === STANDARD_STREAM && command.optsWithGlobals()['json']) {
    command.error('error: --json needs a file, because the lines go to standard output');
  }
  return run(async (database, terminal) => {
    const workspace = await requireWorkspace(database, uuid);
    let count = 0;
    const onLines = (lines: number) => {
      count = lines;
      terminal.progress(null, `${count.toLocaleString('en')} lines`);
    };
    await writeOutput(file, async (send) => {
      const entry = { action: 'export', author: COMMAND, details: { resource } } as const;
      // Once the output is open, and before the first line, so that no data leaves without it.
      await database.write(workspace, (scope) => writeLog(scope, [entry], Date.now()));
      // One transaction, so that the export is consistent.
      await database.read(workspace, (scope) => send(toNdjson(read(scope), onLines)));
    });
    return { value: { lines: count }, text: file === STANDARD_STREAM ? '' : sentence(count.toLocaleString('en')) };
  });
}

async function* toNdjson(
  pages: AsyncIterable<readonly string[]>,
  onLines: (count: number) => void,
): AsyncGenerator<string> {
  let count = 0;
  for await (const lines of pages) {
    yield `${lines.join('\n')}\n`;
    onLines((count += lines.length));
  }
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
    throw new CommandError('The reader of the output stopped before its end.');
  }
}

function toFile<Result>(file: string, work: (send: Send) => Promise<Result>): Promise<Result> {
  return writeNewFile(file, async (path) => {
    const stream = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    await once(stream, 'open');
    return work((texts) => pipeline(texts, stream));
  });
}
