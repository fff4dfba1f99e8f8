import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import { type ImportedDomain, putDomains } from './putDomains.ts';

// Names of domains as the DNS has them, in the list as a client reads it.

let service: TestService;
let own: Tenant;
beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

const put = (domains: ImportedDomain[]) =>
  service.database.write(own.workspace, (scope) => putDomains(scope, domains, service.clock.now));

type Listed = { name: string; mail_from_domain: string };
async function list(query: Record<string, string>): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let page = 1, hasNext = true; hasNext; page++) {
    const parameters = new URLSearchParams({ ...query, page: `${page}`, per_page: '2' });
    const response = await service.call(`/v1/domains?${parameters}`, { token: own.token });
    const { data, meta } = (await response.json()) as { data: Listed[]; meta: { has_next: boolean } };
    found.push(...data);
    hasNext = meta.has_next;
  }
  return found;
}

test.each(['name', 'domain', 'mail_from_domain'] as const)(
  'sorted by %s, letter case counts for nothing, on any page and in both directions',
  async (id) => {
    const names = ['a.order.test', 'B.order.test', 'c.order.test', 'UPPER.order.test', 'upper2.order.test'];
    await put(names.toReversed().map((name) => ({ name, mail_from_domain: `${name[0]}.bounce.${name}` })));
    const sorted = (desc: boolean) => list({ search: 'order.test', 'sorting[]': JSON.stringify({ id, desc }) });
    expect((await sorted(false)).map(({ name }) => name)).toEqual(names);
    expect((await sorted(true)).map(({ name }) => name)).toEqual(names.toReversed());
  },
);

test.each([
  ['xn--mnchen-3ya', ['im.münchen.search.test', 'xn--mnchen-3ya.search.test']],
  ['XN--mnchen-3ya.search', ['im.münchen.search.test', 'xn--mnchen-3ya.search.test']],
  ['München', ['im.münchen.search.test', 'xn--mnchen-3ya.search.test']],
  ['mu\u0308nchen.sea', ['im.münchen.search.test', 'xn--mnchen-3ya.search.test']],
  ['test münchen', ['im.münchen.search.test', 'xn--mnchen-3ya.search.test']],
  ['münch', ['im.münchen.search.test']],
  ['mu\u0308nch', ['im.münchen.search.test']],
  ['munchen', ['munchen.search.test']],
  // Not valid.
  ['xn--mnchen-3y', ['xn--mnchen-3ya.search.test']],
])('the search for %s finds an internationalized name however it is written', async (search, names) => {
  await put(
    ['munchen', 'xn--mnchen-3ya', 'im.münchen', 'xn--bcher-kva'].map((name) => ({ name: `${name}.search.test` })),
  );
  expect((await list({ search, 'sorting[]': '{"id":"name","desc":false}' })).map(({ name }) => name)).toEqual(names);
});
