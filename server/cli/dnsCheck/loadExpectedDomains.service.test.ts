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

/** The domains in a file with this content. */
async function domainsIn(content: unknown, options: { domain: string[]; notBulk?: true }) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sendroom-expected-'));
  const file = join(folder.path, 'file');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return await loadExpectedDomains({ expect: file, ...options });
}

const namesIn = async (content: unknown, ...domain: string[]) =>
  (await domainsIn(content, { domain })).map(({ name }) => name);

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

test('a domain sends in bulk unless the file or --not-bulk says otherwise', async () => {
  const content = [
    FULL,
    { ...FULL, name: 'one.test', sends_bulk: false },
    { ...FULL, name: 'two.test', sends_bulk: true },
  ];
  const said = async (notBulk?: true) =>
    (await domainsIn(content, { domain: [], ...(notBulk && { notBulk }) })).map(({ sends_bulk }) => sends_bulk);
  expect(await said()).toEqual([undefined, false, true]);
  expect(await said(true)).toEqual([false, false, false]);
  await expect(namesIn({ ...FULL, sends_bulk: 'no' })).rejects.toThrow('contains neither domains nor DNS records');
});
