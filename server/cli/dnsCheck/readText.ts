import { toCommandError, openInput } from '../terminal/files.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError } from '../terminal/terminal.ts';

/** Bytes. A report about ten thousand domains is smaller. */
const FILE_MAX = 64 * 1024 * 1024;

/** Reads a file, or standard input for `-`. Throws `CommandError`. */
export async function readText(file: string): Promise<string> {
  const name = toPrintable(file, 200);
  try {
    const decoder = new TextDecoder();
    let size = 0;
    let text = '';
    for await (const piece of openInput(file).source as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > FILE_MAX) throw new CommandError(`${name} is larger than 64 MiB.`);
      text += decoder.decode(piece, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    throw toCommandError(error, name, 'read');
  }
}
