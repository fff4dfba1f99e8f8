import { expect, test } from 'vitest';
import { decodeText, readFile } from './readFile.ts';

test.each([
  ['sheet.xlsx', 'PK\u0003\u0004', 'Save the sheet as CSV'],
  ['mail.msg', '\u00D0\u00CF\u0011\u00E0', 'Save a mail as .eml'],
  ['picture.png', '\u0089PNG\u0000', 'picture.png isn’t a text file.'],
])('%s is refused with a sentence', (name, content, sentence) => {
  expect(() => decodeText(name, Buffer.from(content, 'latin1'))).toThrow(sentence);
});

test('a file in UTF-16, as spreadsheets save text, is read in either order of bytes', () => {
  const bytes = Buffer.from('\ufeffjörg@x.test', 'utf16le');
  const read = { text: 'jörg@x.test', isWindows: false };
  expect(decodeText('list.txt', bytes)).toEqual(read);
  expect(decodeText('list.txt', bytes.swap16())).toEqual(read);
});

test('a file that is too large is refused before it is read', async () => {
  const file = Object.assign(new File([], 'large.csv'), { arrayBuffer: () => expect.unreachable('it is read') });
  Object.defineProperty(file, 'size', { value: 20 * 1024 * 1024 + 1 });
  await expect(readFile(file)).rejects.toThrow('large.csv is larger than 20 MB.');
});
