import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadExpectedDomains } from './loadExpectedDomains.ts';

const RECORD = { type: 'A', name: 'a.example.test', value: '192.0.2.1', is_valid: true };
const [FULL, EMPTY] = ['example.test', 'empty.test'].map((name) => ({
  name,
  dns: name === 'empty.test' ? [] : [RECORD],
}));

/** The names of the domains in a file with this content. */
async function namesIn(content: unknown, ...domain: string[]): Promise<string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sendroom-expected-'));
  const file = join(folder.path, 'file');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return (await loadExpectedDomains({ expect: file, domain })).map(({ name }) => name);
}

test.each([
  ['a page of the interface', { data: [FULL, EMPTY] }, [], ['empty.test', 'example.test']],
  ['a list of domains', [FULL, { ...EMPTY, dns: null }], [], ['empty.test', 'example.test']],
  ['a domain', FULL, [], ['example.test']],
  ['of several domains the one that is named', [FULL, EMPTY], ['example.test'], ['example.test']],
  ['a name that is written otherwise', { ...FULL, name: 'bücher.test' }, ['xn--bcher-kva.test'], ['bücher.test']],
  ['records of a named domain', [RECORD], ['example.test'], ['example.test']],
  ['a zone', '$ORIGIN example.test.\na A 192.0.2.1\n', [], ['example.test']],
])('reads %s', async (_, content, domain, names) => {
  expect(await namesIn(content, ...domain)).toEqual(names);
});

test.each([
  ['{', [], "starts like JSON, but isn't valid."],
  [{ name: 7 }, [], 'contains neither domains nor DNS records'],
  [[], [], 'Pass the domain of the records with --domain.'],
  [[RECORD], [], 'Pass the domain of the records with --domain.'],
  [EMPTY, [], 'There are no records to check.'],
  [FULL, ['other.test'], 'There is no domain other.test.'],
  [[FULL, EMPTY], ['example.test', 'empty.test'], 'The domain empty.test has no records to check.'],
])('refuses %j with the domains %j', async (content, domain, sentence) => {
  await expect(namesIn(content, ...domain)).rejects.toThrow(sentence);
});
