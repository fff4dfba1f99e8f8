import { CommandError } from '../terminal/commandError.ts';

/**
 * A line of a file without its end, or why it cannot be read. A CSV record counts as one line although a quoted cell
 * may run over several; `number` is that of its first, from 1.
 */
export type FileLine = { number: number; text: string } | UnreadableLine;
export type UnreadableLine = { number: number; fault: string };

/** The longest line in bytes; whatever the service can hold is shorter, also with all of it escaped. */
const LINE_MAX = 1024 * 1024;

const LF = 0x0a;
const COMMA = 0x2c;
const QUOTE = 0x22;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Splits a file into lines and holds one of them at a time. It splits bytes and decodes each line by itself, so that a
 * line which is too long or not UTF-8 spoils no other. Throws `CommandError` when the file is UTF-16.
 */
export async function* readLines(source: AsyncIterable<Uint8Array>, isCsv: boolean): AsyncGenerator<FileLine> {
  const quotes = isCsv ? new CsvQuoteState() : null;
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  let newlines = 0;

  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= LINE_MAX) parts.push(part);
    else parts = [];
  };
  const finish = (): FileLine => {
    const line = length > LINE_MAX ? { number, fault: 'The line is longer than 1 MiB.' } : decode(number, parts);
    quotes?.reset();
    parts = [];
    length = 0;
    number += newlines;
    newlines = 0;
    return line;
  };
  // Where the quote was meant to close nobody knows, so that nothing after it can be trusted to be a line.
  const endless = (where: string): FileLine => ({
    number,
    fault: `A quote opens here that does not close ${where}: no line after it was read.`,
  });

  for await (const chunk of withoutByteOrderMark(source)) {
    let start = 0;
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      quotes?.read(chunk, from, end);
      newlines++;
      from = end + 1;
      if (quotes?.isOpen()) {
        // The line goes on. It is added when it ends: its lines by themselves may be millions.
        if (length + from - start > LINE_MAX) return yield endless('within 1 MiB');
        continue;
      }
      add(chunk.subarray(start, end));
      yield finish();
      start = from;
    }
    quotes?.read(chunk, from, chunk.length);
    add(chunk.subarray(start));
  }
  if (quotes?.isOpen()) yield endless('before the end of the file');
  else if (length > 0) yield finish();
}

function decode(number: number, parts: readonly Uint8Array[]): FileLine {
  try {
    return { number, text: utf8.decode(Buffer.concat(parts)).replace(/\r$/, '') };
  } catch {
    return { number, fault: 'The line is not UTF-8.' };
  }
}

/** Without the mark that some programs put in front of UTF-8. */
async function* withoutByteOrderMark(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const chunk of source) {
    if (start === null) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < 3) continue;
    yield stripByteOrderMark(start);
    start = null;
  }
  if (start !== null) yield stripByteOrderMark(start);
}

function stripByteOrderMark(start: Buffer): Buffer {
  if (/^(fffe|feff)/.test(start.toString('hex', 0, 2))) {
    throw new CommandError('The file is UTF-16: save it as UTF-8.');
  }
  return start.toString('hex', 0, 3) === 'efbbbf' ? start.subarray(3) : start;
}

/** Whether a quoted cell of CSV goes on: then a line break belongs to it. */
class CsvQuoteState {
  #at: 'start of cell' | 'plain' | 'quoted' | 'quote in quoted' = 'start of cell';

  read(bytes: Uint8Array, from: number, end: number): void {
    for (let at = from; at < end; at++) {
      const byte = bytes[at];
      if (this.#at === 'quoted') {
        if (byte === QUOTE) this.#at = 'quote in quoted';
      } else if (byte === COMMA) {
        this.#at = 'start of cell';
      } else if (byte === QUOTE && this.#at !== 'plain') {
        // A second quote inside a quoted cell stands for one that is part of it.
        this.#at = 'quoted';
      } else {
        this.#at = 'plain';
      }
    }
  }

  isOpen(): boolean {
    return this.#at === 'quoted';
  }

  reset(): void {
    this.#at = 'start of cell';
  }
}
