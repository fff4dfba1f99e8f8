import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readText } from '../terminal/readText.ts';
import { parseZone } from './zoneText.ts';

// Files with generated, extreme content.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-dns-check-'));
});
afterAll(() => rm(folder, { recursive: true }));

const MIB_64 = 64 * 1024 * 1024;

test.each([
  [-1, MIB_64 - 1],
  [0, MIB_64],
  [1, 'is larger than 64 MiB.'],
])('a file of 64 MiB and %d bytes', async (more, read) => {
  const file = join(folder, 'zone');
  await writeFile(file, '');
  await truncate(file, MIB_64 + more);
  const text = readText(file);
  if (typeof read === 'number') expect((await text).length).toBe(read);
  else await expect(text).rejects.toThrow(`${file} ${read}`);
});

test('endless repetition is no record', () => {
  expect(() => parseZone(`@ ${'IN '.repeat(2_000_000)}TXT a`, 'example.com')).toThrow('longer than any record');
  expect(() => parseZone(`@ TXT (\n${'"a"\n'.repeat(2_000_000)})`, 'example.com')).toThrow('longer than any record');
  expect(parseZone('\n'.repeat(5_000_000), 'example.com').dns).toEqual([]);
});
