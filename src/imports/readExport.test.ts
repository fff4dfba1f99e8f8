import { expect, test } from 'vitest';
import { readExport } from './readExport.ts';

test.each([
  ['another encoding', new Uint8Array([0x65, 0x6d, 0x61, 0x69, 0x6c, 0x0a, 0xfc]), /isn’t UTF-8/],
  ['nothing', '  \n', /is empty/],
  ['a spreadsheet', new Uint8Array([0x50, 0x4b, 3, 4]), /Save the sheet as CSV/],
  ['only names of columns', 'email\n', /no lines below its columns/],
  ['line ends of CR only', 'email\ra@x.test\r', /CR only/],
  ['a quote in the names', 'a"b,c\n1,2\n', /first line can’t be read as column names/],
  ['JSON without a list', '[]', /no entries/],
  ['too many lines', `email\n${'a@x.test\n'.repeat(50_001)}`, /more than 50,000 lines/],
  [
    'a name of 10 MB',
    `${'a'.repeat(10_000_000)},email\n1,a@x.test\n`,
    /name of column 1 is longer than 1,000 characters/,
  ],
  ['too many columns', `${'a,'.repeat(1000)}b\n`, /1,001 columns/],
])('a file with %s is refused with a sentence', async (_, content, sentence) => {
  await expect(readExport(new File([content], 'export.csv'))).rejects.toThrow(sentence);
});
