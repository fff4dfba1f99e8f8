import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../testing/testFolder.ts';
import { readConfig } from './config.ts';

// A secret from a file.

const SECRET = 'postgres://sendroom:s3cret@db/sendroom';
let folder: TestFolder;
const inFile = (content: string) => {
  const file = join(folder.path, 'secret');
  writeFileSync(file, content);
  return file;
};
beforeAll(async () => {
  folder = await createTestFolder({});
});
afterAll(() => folder[Symbol.asyncDispose]());

test.each(['', '\n', '\r\n', '  \n\n'])('what ends it (%j) is no part of it', (end) => {
  expect(readConfig({ DATABASE_URL_FILE: inFile(SECRET + end) }).databaseUrl).toBe(SECRET);
});

test('the standby is named as the database is', () => {
  const env = { DATABASE_URL: 'postgres://db/sendroom', DATABASE_READ_URL_FILE: inFile(SECRET) };
  expect(readConfig(env).databaseReadUrl).toBe(SECRET);
});

const GATEWAY = { UPSTREAM_URL: 'https://api.example.com' };

test.each([
  [
    'both',
    { DATABASE_URL: SECRET, DATABASE_URL_FILE: '/s3cret' },
    /^DATABASE_URL can't be combined with DATABASE_URL_FILE/,
  ],
  ['no file', { DATABASE_URL_FILE: '/nowhere/s3cret' }, /^DATABASE_URL_FILE must name a readable file \(ENOENT\)\.$/],
  ['the secret instead of the file', { DATABASE_URL_FILE: SECRET }, /\(ENOENT\)\.$/],
  ['a folder', { DATABASE_URL_FILE: '/' }, /\(EISDIR\)\.$/],
  ['a gateway', { ...GATEWAY, DATABASE_URL_FILE: '/s3cret' }, /^UPSTREAM_URL can't be combined with/],
])('%s: one sentence, which does not repeat it', (_, env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
  expect(() => readConfig(env)).toThrow(/^((?!s3cret).)*$/);
});

test.each(['', ' \n', `${SECRET}\nother`, `\0${SECRET}`])('a file with %j is refused', (content) => {
  const sentence = 'DATABASE_URL_FILE must name a file with one line.';
  expect(() => readConfig({ DATABASE_URL_FILE: inFile(content) })).toThrow(sentence);
});
