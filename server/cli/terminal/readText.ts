import { toCommandError, openInput } from './files.ts';
import { toPrintable } from './printable.ts';
import { CommandError } from './terminal.ts';

const MEBIBYTE = 1024 * 1024;
/** Bytes. A report about ten thousand domains is smaller. */
const FILE_MAX = 64 * 1024 * 1024;

/** Reads a file, or standard input for `-`. Throws `CommandError`. */
export async function readText(file: string): Promise<string> {
  const name = toPrintable(file, 200);
  try {
    return await readLimited(openInput(file).source as AsyncIterable<Buffer>, FILE_MAX, name);
  } catch (error) {
    throw toCommandError(error, name, 'read');
  }
}

/** Reads UTF-8. Throws `CommandError` beyond `max` bytes. */
export async function readLimited(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  max: number,
  name: string,
): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const piece of source) {
    size += piece.length;
    if (size > max) throw new CommandError(`${name} is larger than ${max / MEBIBYTE} MiB.`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
