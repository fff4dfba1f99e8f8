import { isMailboxLine } from './isMail.ts';

const NEWLINE = 0x0a;
const FROM = [0x46, 0x72, 0x6f, 0x6d, 0x20];

/** The mails of a mailbox file (RFC 4155), or the one mail that `source` is. */
export function splitMailbox(source: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const starts = findStarts(source);
  if (starts[0] !== 0) return [source];
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? source.length;
    return source.slice(source.indexOf(NEWLINE, start) + 1 || end, end);
  });
}

/** Where a line `From jane@example.com Mon Jan  1 00:00:00 2024` begins, at the start or after an empty line. */
function findStarts(source: Uint8Array): number[] {
  const starts: number[] = [];
  let lineStart = 0;
  let isAfterEmpty = true;
  while (lineStart < source.length) {
    const lineEnd = endOfLine(source, lineStart);
    const isFrom = FROM.every((byte, index) => source[lineStart + index] === byte);
    if (
      isAfterEmpty &&
      isFrom &&
      isMailboxLine(asciiOf(source.subarray(lineStart, Math.min(lineEnd, lineStart + 300))))
    ) {
      starts.push(lineStart);
    }
    isAfterEmpty = lineEnd === lineStart || (lineEnd === lineStart + 1 && source[lineStart] === 0x0d);
    lineStart = lineEnd + 1;
  }
  return starts;
}

function endOfLine(source: Uint8Array, from: number): number {
  const end = source.indexOf(NEWLINE, from);
  return end < 0 ? source.length : end;
}

const asciiOf = (bytes: Uint8Array) => new TextDecoder('windows-1252').decode(bytes);
