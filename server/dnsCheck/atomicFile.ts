import { constants } from 'node:fs';
import { access, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toCommandError, resolveCallerPath } from '../terminal/files.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError } from '../terminal/terminal.ts';

/** A file that is replaced at once, by renaming a temporary file. Methods throw `CommandError`. */
export class AtomicFile {
  readonly #path: string;
  readonly #name: string;

  constructor(file: string) {
    this.#path = resolveCallerPath(file);
    this.#name = toPrintable(file, 200);
  }

  /** Checks that the file can be written, before the long check begins. */
  async prepare(): Promise<void> {
    try {
      await access(dirname(this.#path), constants.W_OK);
      const existing = await stat(this.#path).catch(() => null);
      // Renaming would replace a device like /dev/stdout by a file.
      if (existing !== null && !existing.isFile()) throw new CommandError(`${this.#name} is not a plain file.`);
    } catch (error) {
      throw toCommandError(error, this.#name, 'write');
    }
  }

  async write(content: string): Promise<void> {
    const beside = `${this.#path}.${process.pid}`;
    try {
      await writeFile(beside, content);
      await rename(beside, this.#path);
    } catch (error) {
      await rm(beside, { force: true });
      throw toCommandError(error, this.#name, 'write');
    }
  }
}
