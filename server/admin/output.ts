import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../terminal/commandError.ts';
import { toCommandError, resolveCallerPath, STANDARD_STREAM } from '../terminal/files.ts';
import { toPrintable } from '../terminal/printable.ts';

/** Characters written at a time. */
const CHUNK = 64 * 1024;

/**
 * Writes values as NDJSON to a new file, readable for its owner only, and returns their number. The file gets its name
 * when it is complete. Throws `CommandError`.
 */
export async function writeNdjson(
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
