import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FileLine, readLines } from './readLines.ts';

async function read(chunks: readonly (string | Uint8Array)[], isCsv = false): Promise<FileLine[]> {
  async function* source() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  return Array.fromAsync(readLines(source(), isCsv));
}

const apart = (whole: Buffer) => Array.from(whole, (byte) => Buffer.from([byte]));

function cut(text: string, sizes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, Infinity]) {
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

test('lines end with LF or CRLF, the last one with the file', async () => {
  expect(await read(['one\ntwo\r\n\nfour'])).toEqual([
    { number: 1, text: 'one' },
    { number: 2, text: 'two' },
    { number: 3, text: '' },
    { number: 4, text: 'four' },
  ]);
  expect(await read([])).toEqual([]);
  expect(await read([''])).toEqual([]);
});

test('where the file is cut into pieces makes no difference', async () => {
  const text = fc
    .array(fc.constantFrom('"', ',', '\n', '\r\n', 'a', 'é', '😀', '\ufeff', '""', '",\n"'), { maxLength: 40 })
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(5)), fc.boolean(), async (text, sizes, isCsv) => {
      expect(await read(cut(text, sizes), isCsv)).toEqual(await read([text], isCsv));
    }),
  );
});

test('a quoted cell of CSV may hold line breaks; its record has the number of its first line', async () => {
  expect(await read(['a,"x\r\ny\n""z""\n",b\r\nnext,"q",\n'], true)).toEqual([
    { number: 1, text: 'a,"x\r\ny\n""z""\n",b' },
    { number: 5, text: 'next,"q",' },
  ]);
  expect(await read(['5" pipe,x\n"",y\n'], true)).toEqual([
    { number: 1, text: '5" pipe,x' },
    { number: 2, text: '"",y' },
  ]);
});

test('a quote that never closes ends the reading with its own line', async () => {
  expect(await read(['a,b\nc,"d\ne,f\n'], true)).toEqual([
    { number: 1, text: 'a,b' },
    {
      number: 2,
      fault: "A quote opens here and doesn't close before the end of the file. The lines after it weren't read.",
    },
  ]);
  const long = await read(
    ['a,"b\n', ...Array.from({ length: 9 }, () => `${'x'.repeat(1024 * 1024)}\n`), 'c,d\n'],
    true,
  );
  expect(long).toEqual([
    { number: 1, fault: "A quote opens here and doesn't close within 1 MiB. The lines after it weren't read." },
  ]);
});

test('a line that is too long or not UTF-8 spoils no other', async () => {
  const lines = await read(['a\n', ...Array.from({ length: 9 }, () => 'x'.repeat(1024 * 1024)), '\nb\n']);
  expect(lines).toEqual([
    { number: 1, text: 'a' },
    { number: 2, fault: 'The line is longer than 1 MiB.' },
    { number: 3, text: 'b' },
  ]);
  expect(await read([Buffer.from([0x61, 0x0a, 0xe9, 0x0a, 0x62])])).toEqual([
    { number: 1, text: 'a' },
    { number: 2, fault: "The line isn't UTF-8." },
    { number: 3, text: 'b' },
  ]);
});

test('the mark before UTF-8 is taken away once, and one of UTF-16 says how to read it', async () => {
  expect(await read(['\ufeff', '\ufeffa'])).toEqual([{ number: 1, text: '\ufeffa' }]);
  expect(await read([Buffer.from([0xef]), Buffer.from([0xbb, 0xbf, 0x61])])).toEqual([{ number: 1, text: 'a' }]);
  const bytes = Buffer.from('\ufeffé\n😀', 'utf16le');
  const lines = [
    { number: 1, text: 'é' },
    { number: 2, text: '😀' },
  ];
  expect(await read(apart(bytes))).toEqual(lines);
  expect(await read(apart(Buffer.from(bytes).swap16()))).toEqual(lines);
  await expect(read([bytes.subarray(0, -1)])).rejects.toThrow("isn't UTF-16");
});
