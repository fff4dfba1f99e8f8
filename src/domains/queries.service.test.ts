import { QueryClient } from '@tanstack/react-query';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { createPageMeta, parseListQuery, type CheckedListQuery, type Meta } from '#contract/list.ts';
import { listDomains } from '#contract/interface.ts';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { domainQuery } from './queries.ts';

const server = setUpTestServer();

const read = (name: string) => new QueryClient().query(domainQuery(name));

const uuidOf = (name: string) => `00000000-0000-4000-8000-${String(name.length).padStart(12, '0')}`;

/** A service with these domains, with search and paging; `spoil` changes the meta of its pages. */
function domainsNamed(
  names: string[],
  spoil: (meta: Meta, query: CheckedListQuery) => Meta = (meta) => meta,
): RequestListener {
  return (request, response) => {
    const { query } = parseListQuery(new URL(request.url ?? '', 'http://x.test').searchParams, listDomains.list);
    if (query === null) return json({ detail: 'No.' }, 422)(request, response);
    const hits = names.filter((name) => name.toLowerCase().includes(query.search.toLowerCase()));
    const page = hits.slice((query.page - 1) * query.per_page, query.page * query.per_page);
    const meta = spoil(createPageMeta(query, hits.length), query);
    json({ data: page.map((name) => ({ uuid: uuidOf(name), name })), meta })(request, response);
  };
}

test('a domain is found by its exact name, in any letter case', async () => {
  server.answer(domainsNamed(['mail.x.test', 'X.test', 'x.test.y.test']));
  expect((await read('x.TEST'))?.name).toBe('X.test');
  expect(await read('x.tes')).toBeNull();
  expect(await read('nowhere.test')).toBeNull();
});

test.each([
  ['bücher.test', 'xn--bcher-kva.test'],
  ['xn--bcher-kva.test', 'bücher.test'],
  ['XN--BCHER-KVA.test', 'Bücher.test'],
  ['bücher.test', 'bu\u0308cher.test'],
  ['news.x.test.', 'news.x.test'],
  ['a name.test', 'A name.test'],
])('a domain is found by another spelling: %s finds %s', async (spelling, name) => {
  server.answer(domainsNamed(['x.test', `mail.${name}`, name]));
  expect((await read(spelling))?.name).toBe(name);
});

test('a domain is found by its UUID in any letter case, also where the service writes capitals', async () => {
  const uuid = 'ABCDEF00-0000-4000-8000-000000000001';
  server.answer(json({ data: [{ uuid, name: 'x.test' }], meta: createPageMeta({ page: 1, per_page: 100 }, 1) }));
  expect((await read(uuid))?.name).toBe('x.test');
  expect((await read(uuid.toLowerCase()))?.name).toBe('x.test');
});

test('it is looked for on every page', async () => {
  const others = Array.from({ length: 250 }, (_, index) => `a${index}.x.test`);
  server.answer(domainsNamed([...others, 'x.test']));
  expect((await read('x.test'))?.name).toBe('x.test');
  expect(server.received).toHaveLength(3);
});

test('a name may be longer than a search', async () => {
  const name = `${'label.'.repeat(40)}x.test`;
  server.answer(domainsNamed([name]));
  expect((await read(name))?.name).toBe(name);
});

test.each<[string, number, RequestListener]>([
  ['never ends', 50, domainsNamed(['a.x.test'], (meta) => ({ ...meta, has_next: true }))],
  ['does not turn its pages', 2, domainsNamed(['a.x.test'], (meta) => ({ ...meta, current_page: 1, has_next: true }))],
])('of a list that %s nobody can say that a domain is not in it', async (_, calls, listener) => {
  server.answer(listener);
  await expect(read('x.test')).rejects.toMatchObject({ kind: 'unreadable' });
  expect(server.received).toHaveLength(calls);
});
