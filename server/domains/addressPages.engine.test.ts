import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { seededRandom } from '../demo/seededRandom.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL, compareRows } from '../testing/testList.ts';
import { type ImportedAddress, putAddresses } from './putAddresses.ts';
import { putDomains } from './putDomains.ts';
import { listDomainAddresses } from './store.ts';

/** What is listed, as the test knows it. */
type Known = { uuid: string; domain: string; created_at: number };

const BUSY = randomUUID();
const OTHER = randomUUID();
const random = seededRandom(20);

let t: TestDatabase;
let known: Map<string, Known>;
beforeEach(async () => {
  t = await openTestDatabase();
  known = new Map();
  const domains = [
    { uuid: BUSY, name: 'busy.example' },
    { uuid: OTHER, name: 'other.example' },
  ];
  await t.db.write(t.workspace, (scope) => putDomains(scope, domains, NOW));
});
afterEach(() => t[Symbol.asyncDispose]());

/** Few different times, so that many addresses have the same. */
const someTime = () => NOW + random.pick([0, 0, 1, -random.below(40), 86_400]) * 1000;

async function put(addresses: readonly Known[]): Promise<void> {
  const given = addresses.map(({ uuid, domain, created_at }): ImportedAddress => ({
    uuid,
    domain,
    created_at,
    address: uuid,
  }));
  const outcomes = await t.db.write(t.workspace, (scope) => putAddresses(scope, given, NOW));
  expect(outcomes.filter((outcome) => typeof outcome !== 'string')).toEqual([]);
  for (const address of addresses) known.set(address.uuid, address);
}

const createSome = (count: number, domain = BUSY): Known[] =>
  Array.from({ length: count }, () => ({ uuid: randomUUID(), domain, created_at: someTime() }));
const pickSome = (count: number): Known[] =>
  known.size === 0 ? [] : Array.from({ length: count }, () => random.pick([...known.values()]));

/** Compares pages of each domain, drawn from the whole list, with what sorting all of it gives. */
async function comparePages(count: number): Promise<void> {
  for (const domain of [BUSY, OTHER]) {
    const all = [...known.values()].filter((one) => one.domain === domain).toSorted(compareRows([]));
    for (let drawn = 0; drawn < count; drawn++) {
      const per_page = 1 + random.below(100);
      const page = 1 + random.below(Math.ceil((all.length + 1) / per_page));
      const list = must(await listDomainAddresses(t.workspace, t.db, domain, { ...ALL, page, per_page }));
      expect(list.meta.total).toBe(all.length);
      const wanted = all.slice((page - 1) * per_page, page * per_page);
      expect(
        list.data.map(({ uuid }) => uuid),
        `page ${page} of ${per_page}`,
      ).toEqual(wanted.map(({ uuid }) => uuid));
    }
  }
}

test('pages and totals are right after addresses come, change their time, and go to another domain', async () => {
  for (let step = 0; step < 12; step++) {
    await put(createSome(random.below(12)));
    await put(pickSome(random.below(6)).map((address) => ({ ...address, created_at: someTime() })));
    await put(pickSome(random.below(9)).map((address) => ({ ...address, domain: random.pick([BUSY, OTHER]) })));
    expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
    await comparePages(3);
  }
});
