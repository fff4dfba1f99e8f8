import {
  closeSync,
  createReadStream,
  fstatSync,
  linkSync,
  lstatSync,
  mkdtempDisposableSync,
  openSync,
  renameSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { basename, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { toPrintable } from './printable.ts';
import { CommandError } from './terminal.ts';

export const STANDARD_STREAM = '-';
/** The descriptor of standard input, in every thread. */
const STANDARD_INPUT = 0;

/** npm runs scripts in the folder of the project. */
export function resolveCallerPath(file: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: callersFolder = '.' } = process.env;
  return script === 'admin' || script === 'dns-check' ? resolve(callersFolder, file) : resolve(file);
}

/** `share` is the part read; null when the size is unknown. Only one thread may open standard input. */
export function openInput(file: string): { source: Readable; share: () => number | null } {
  try {
    const descriptor = file === STANDARD_STREAM ? STANDARD_INPUT : openSync(resolveCallerPath(file), 'r');
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw new CommandError(`${nameOfInput(file)} is a folder.`);
    if (isatty(descriptor)) return { source: new ReadStream(descriptor), share: () => null };
    // A thread that reads a file cannot be ended before more is written to what it waits for.
    if (stats.isFIFO() || stats.isSocket())
      return { source: new Socket({ fd: descriptor, readable: true, writable: false }), share: () => null };
    const source = createReadStream('', { fd: descriptor });
    return { source, share: () => (stats.isFile() && stats.size > 0 ? source.bytesRead / stats.size : null) };
  } catch (error) {
    throw toCommandError(error, nameOfInput(file), 'read');
  }
}

export function nameOfInput(file: string): string {
  return file === STANDARD_STREAM ? 'Standard input' : toPrintable(file, 200);
}

/** `write` gets a path in a new folder that only this user can enter. Then the file gets its name; nothing is overwritten. */
export async function writeNewFile<Result>(file: string, write: (path: string) => Promise<Result>): Promise<Result> {
  const path = resolveCallerPath(file);
  const name = toPrintable(file, 200);
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw new CommandError(describeExisting(name));
    using folder = mkdtempDisposableSync(`${path}.unfinished-`);
    const unfinished = join(folder.path, basename(path));
    const result = await write(unfinished);
    publish(unfinished, path);
    return result;
  } catch (error) {
    throw toCommandError(error, name, 'write');
  }
}

/** File systems without hard links, such as FAT. */
const WITHOUT_LINKS = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

function publish(unfinished: string, path: string): void {
  try {
    // Unlike renaming, it replaces nothing.
    linkSync(unfinished, path);
  } catch (error) {
    if (!WITHOUT_LINKS.has((error as { code?: unknown }).code)) throw error;
    closeSync(openSync(path, 'wx', 0o600));
    renameSync(unfinished, path);
  }
}

function describeExisting(name: string): string {
  return `${name} exists already: nothing is overwritten.`;
}

export function toCommandError(error: unknown, name: string, act: 'read' | 'write'): unknown {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (code === 'ENOENT' && act === 'read') return new CommandError(`There is no file ${name}.`);
  // Only these come after a file was created.
  if (code === 'ENOENT' && (syscall === 'link' || syscall === 'rename'))
    return new CommandError(`${name} was removed while it was written.`);
  if (code === 'ENOENT') return new CommandError(`The folder of ${name} does not exist.`);
  if (code === 'EACCES' || code === 'EPERM') return new CommandError(`This user may not ${act} ${name}.`);
  if (code === 'EEXIST') return new CommandError(describeExisting(name));
  if (code === 'ENOSPC' || code === 'EDQUOT') return new CommandError(`No space left for ${name}.`);
  if (code === 'ENOTDIR' || code === 'EISDIR')
    return new CommandError(`There is no way to ${act} ${name}: check its folder.`);
  if (syscall === 'read') return new CommandError(`${name} could not be read to its end: ${String(code)}.`);
  if (code === 'EROFS' || code === 'ENAMETOOLONG' || code === 'EFBIG' || code === 'EIO') {
    return new CommandError(`${name} could not be ${act === 'read' ? 'read' : 'written'}: ${code}.`);
  }
  return error;
}
