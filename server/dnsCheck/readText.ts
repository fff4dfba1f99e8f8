import { text } from 'node:stream/consumers';
import { inWords, openInput } from '../admin/files.ts';
import { printable } from '../admin/printable.ts';

/** What is in `file`, or came through standard input for `-`. Throws `CommandFailure`. */
export async function readText(file: string): Promise<string> {
  try {
    return (await text(openInput(file).source)).replace(/^\ufeff/, '');
  } catch (error) {
    throw inWords(error, printable(file, 200), 'read');
  }
}
