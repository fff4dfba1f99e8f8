import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CheckedListQuery } from '#contract/list.ts';
import { listAddresses as operation } from '#contract/addresses.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { listAddresses } from './listAddresses.ts';
import { type ImportedAddress, putAddresses } from './putAddresses.ts';
import { type ImportedDomain, putDomains } from './putDomains.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const DOMAINS: ImportedDomain[] = [
  { uuid: randomUUID(), name: 'Acme.example', status: 'failed' },
  { uuid: randomUUID(), name: 'bücher.example', verified: true, status: 'completed', verification: 'completed' },
  { uuid: randomUUID(), name: 'zoo.example' },
];
const ADDRESSES: ImportedAddress[] = [
  { domain: 'zoo.example', address: 'Billing', verification: 'completed', created_at: NOW - 4000 },
  { domain: 'acme.example', address: 'news', verification: 'failed', created_at: NOW - 3000 },
  { domain: 'bücher.example', address: 'news', verification: 'Completed', created_at: NOW - 2000 },
  { domain: 'acme.example', address: 'a_b%c', verification: 'under review', created_at: NOW - 1000 },
];

async function fill(domains = DOMAINS, addresses = ADDRESSES): Promise<void> {
  await t.db.write(t.workspace, async (scope) => {
    const outcomes = [...(await putDomains(scope, domains, NOW)), ...(await putAddresses(scope, addresses, NOW))];
    expect(outcomes.filter((outcome) => typeof outcome !== 'string')).toEqual([]);
  });
}

async function list(query: Partial<CheckedListQuery> = {}): Promise<string[]> {
  const { data, meta } = await listAddresses(t.workspace, t.db, { ...ALL, ...query });
  expect(meta.total).toBe(data.length);
  operation.result.parse({ data, meta });
  return data.map(({ full_address }) => full_address);
}

const BILLING = 'Billing@zoo.example';
const NEWS = 'news@Acme.example';
const BOOKS = 'news@bücher.example';
const ODD = 'a_b%c@Acme.example';

test('lists the addresses of all domains, each with the name and state of its domain, newest first', async () => {
  await fill();
  expect(await list()).toEqual([ODD, BOOKS, NEWS, BILLING]);
  const { data } = await listAddresses(t.workspace, t.db, ALL);
  expect(data.map(({ domain_name, domain_state }) => [domain_name, domain_state])).toEqual([
    ['Acme.example', 'failing'],
    ['bücher.example', 'healthy'],
    ['Acme.example', 'failing'],
    ['zoo.example', 'pending'],
  ]);
  expect((await listAddresses(t.otherWorkspace, t.db, ALL)).data).toEqual([]);
});

test.each<[id: string, ascending: string[][]]>([
  // ASCII before any other letter: texts are compared byte by byte.
  ['full_address', [[ODD], [BILLING], [NEWS], [BOOKS]]],
  ['domain_name', [[NEWS, ODD], [BOOKS], [BILLING]]],
  ['verification', [[BILLING, BOOKS], [NEWS], [ODD]]],
  ['created_at', [[BILLING], [NEWS], [BOOKS], [ODD]]],
])('sorts by %s in any letter case', async (id, groups) => {
  await fill();
  const inGroups = (addresses: string[]) =>
    groups.map((group) => addresses.splice(0, group.length).toSorted()).map((group) => group.join());
  const wanted = groups.map((group) => group.toSorted().join());
  expect(inGroups(await list({ sorting: [{ id, desc: false }] }))).toEqual(wanted);
  expect(inGroups((await list({ sorting: [{ id, desc: true }] })).toReversed())).toEqual(wanted);
});

test.each<[search: string, found: string[]]>([
  ['NEWS', [BOOKS, NEWS]],
  ['news@acme', [NEWS]],
  ['news acme', [NEWS]],
  ['b%c@', [ODD]],
  ['a_b', [ODD]],
  ['%', [ODD]],
  ['news@xn--bcher-kva.example', [BOOKS]],
  ['Bücher', [BOOKS]],
  ['bucher', []],
  ['example', [ODD, BOOKS, NEWS, BILLING]],
])('finds %s in the whole address', async (search, found) => {
  await fill();
  expect(await list({ search })).toEqual(found);
});

test('finds an address by the other spelling of its domain', async () => {
  await fill([{ name: 'xn--bcher-kva.example' }], [{ domain: 'xn--bcher-kva.example', address: 'news' }]);
  expect(await list({ search: 'news@bücher.example' })).toEqual(['news@xn--bcher-kva.example']);
});

test('filters by verification in any letter case, with a search too', async () => {
  await fill();
  const filters = { verification: 'completed' };
  expect(await list({ filters })).toEqual([BOOKS, BILLING]);
  expect(await list({ filters, search: 'news' })).toEqual([BOOKS]);
  expect(await list({ filters: { verification: 'Under Review' } })).toEqual([ODD]);
  expect(await list({ filters: { verification: 'unheard of' } })).toEqual([]);
});

test('follows changes of addresses and the name of their domain', async () => {
  await fill();
  const [acme] = DOMAINS;
  await fill(
    [{ ...acme, name: 'yard.example' }],
    [{ domain: 'zoo.example', address: 'billing', verification: 'failed' }],
  );
  expect(await list({ filters: { verification: 'failed' } })).toEqual([NEWS, 'billing@zoo.example']);
  const names = await listAddresses(t.workspace, t.db, { ...ALL, sorting: [{ id: 'domain_name', desc: false }] });
  expect(names.data.map(({ domain_name }) => domain_name)).toEqual([
    'bücher.example',
    'yard.example',
    'yard.example',
    'zoo.example',
  ]);
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
});

test('the longest address is sorted and searched by its start', async () => {
  const full = `x@${'\u{1f4ee}'.repeat(500)}.example`;
  const word = 'w'.repeat(1024);
  await fill(DOMAINS, [{ domain: 'zoo.example', address: 'x', full_address: full, verification: word }]);
  expect(await list({ search: 'x@\u{1f4ee}' })).toEqual([full]);
  expect(await list({ sorting: [{ id: 'full_address', desc: true }] })).toEqual([full]);
  expect(await list({ filters: { verification: word } })).toEqual([full]);
});
