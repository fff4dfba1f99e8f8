import { createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { toPrintable } from './printable.ts';
import { CommandError } from './terminal.ts';

/** A file name for standard input or output. */
export const STANDARD_STREAM = '-';
/** The descriptor of standard input, in every thread. */
const STANDARD_INPUT = 0;

/**
 * Resolves a path relative to the folder where the command was called. npm runs scripts in the folder of the project.
 */
export function resolveCallerPath(file: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: callersFolder = '.' } = process.env;
  return script === 'admin' || script === 'dns-check' ? resolve(callersFolder, file) : resolve(file);
}

/**
 * `share` is the part read, from 0 to 1; null when the size is not known. Each thread may open a file or standard input, one of them.
 * Throws `CommandError`.
 */
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

/** Converts a file system error into a `CommandError` when its code is known; returns any other error as it is. */
export function toCommandError(error: unknown, name: string, act: 'read' | 'write'): unknown {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (code === 'ENOENT') {
    return new CommandError(act === 'read' ? `There is no file ${name}.` : `The folder of ${name} does not exist.`);
  }
  if (code === 'EACCES' || code === 'EPERM') return new CommandError(`This user may not ${act} ${name}.`);
  if (code === 'EEXIST') return new CommandError(`${name} exists already: nothing is overwritten.`);
  if (code === 'ENOSPC') return new CommandError(`There is no space left for ${name}.`);
  if (code === 'ENOTDIR' || code === 'EISDIR')
    return new CommandError(`There is no way to ${act} ${name}: check its folder.`);
  if (syscall === 'read') return new CommandError(`${name} could not be read to its end: ${String(code)}.`);
  return error;
}
