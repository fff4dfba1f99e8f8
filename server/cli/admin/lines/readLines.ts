import { DELIMITERS, delimiterOf } from '#contract/importFiles/csvRecords.ts';
import { CommandError } from '../../terminal/terminal.ts';

/** A CSV record counts as one line, even with line breaks in quotes. `number` is that of its first line, from 1. */
export type FileLine = { number: number; text: string } | UnreadableLine;
export type UnreadableLine = { number: number; fault: string };

/** Bytes of a line. All that the service can store is shorter, even fully escaped. */
const LINE_MAX = 1024 * 1024;

const LF = 0x0a;
const QUOTE = 0x22;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const DELIMITER_BYTES = DELIMITERS.map((delimiter) => delimiter.charCodeAt(0));

/** Each line is decoded by itself, so that one that is too long or not UTF-8 doesn't affect the others. */
export async function* readLines(source: AsyncIterable<Uint8Array>, isCsv: boolean): AsyncGenerator<FileLine> {
  const quotes = isCsv ? new CsvQuoteState() : null;
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  let newlines = 0;

  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= LINE_MAX) {
      parts.push(part);
      return;
    }
    if (number === 1) rejectCarriageReturns(parts);
    parts = [];
  };
  const finish = (): FileLine => {
    if (number === 1) rejectCarriageReturns(parts);
    const line = length > LINE_MAX ? { number, fault: 'The line is longer than 1 MiB.' } : decode(number, parts);
    quotes?.reset('fault' in line ? '' : line.text);
    parts = [];
    length = 0;
    number += newlines;
    newlines = 0;
    return line;
  };
  // It is not known where the quote should close, so all lines after it are unreliable.
  const endless = (where: string): FileLine => ({
    number,
    fault: `A quote opens here and doesn't close ${where}. The lines after it weren't read.`,
  });

  for await (const chunk of asUtf8(source)) {
    let start = 0;
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      quotes?.read(chunk, from, end);
      newlines++;
      from = end + 1;
      if (quotes?.isOpen()) {
        // The record continues. Its lines are added together at its end, because there may be millions.
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

function rejectCarriageReturns(parts: readonly Uint8Array[]): void {
  const text = Buffer.concat(parts)
    .toString('latin1')
    .replaceAll(/"[^"]*"/g, '""');
  if (/\r\S/.test(text)) {
    throw new CommandError('The lines end with CR only. Save the file with LF or CRLF.');
  }
}

function decode(number: number, parts: readonly Uint8Array[]): FileLine {
  try {
    return { number, text: utf8.decode(Buffer.concat(parts)).replace(/\r$/, '') };
  } catch {
    return { number, fault: "The line isn't UTF-8." };
  }
}

/** Without the byte order mark, which says whether it's UTF-16. */
export async function* asUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Buffer | null = Buffer.alloc(0);
  let decoder: TextDecoder | null = null;
  const toUtf8 = (chunk?: Uint8Array) => (decoder === null ? (chunk ?? Buffer.alloc(0)) : recode(decoder, chunk));
  for await (const chunk of source) {
    if (start !== null) {
      start = Buffer.concat([start, chunk]);
      if (start.length < 3) continue;
      decoder = decoderOf(start);
    }
    yield toUtf8(start === null ? chunk : stripMark(start));
    start = null;
  }
  if (start !== null) yield toUtf8(stripMark(start));
  if (decoder !== null) yield toUtf8();
}

function decoderOf(start: Buffer): TextDecoder | null {
  const mark = start.toString('hex', 0, 2);
  if (mark !== 'fffe' && mark !== 'feff') return null;
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be', { fatal: true });
}

/** A decoder removes its mark itself. */
const stripMark = (start: Buffer) => (start.toString('hex', 0, 3) === 'efbbbf' ? start.subarray(3) : start);

function recode(decoder: TextDecoder, chunk: Uint8Array | undefined): Uint8Array {
  try {
    return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
  } catch {
    throw new CommandError("The file begins as UTF-16 and isn't UTF-16. Save it as UTF-8.");
  }
}

class CsvQuoteState {
  #at: 'start of cell' | 'plain' | 'quoted' | 'quote in quoted' = 'start of cell';
  /** Null until the first line has said which it is. */
  #delimiter: number | null = null;

  read(bytes: Uint8Array, from: number, end: number): void {
    for (let at = from; at < end; at++) {
      const byte = bytes[at];
      if (this.#at === 'quoted') {
        if (byte === QUOTE) this.#at = 'quote in quoted';
      } else if (byte === (this.#delimiter ?? DELIMITER_BYTES.find((one) => one === byte))) {
        this.#at = 'start of cell';
      } else if (byte === QUOTE && this.#at !== 'plain') {
        // A doubled quote in a quoted cell is a quote.
        this.#at = 'quoted';
      } else {
        this.#at = 'plain';
      }
    }
  }

  isOpen(): boolean {
    return this.#at === 'quoted';
  }

  reset(line: string): void {
    this.#at = 'start of cell';
    if (line.trim() !== '') this.#delimiter ??= delimiterOf(line).charCodeAt(0);
  }
}
