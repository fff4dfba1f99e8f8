import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReadableDomain } from '#contract/domain.ts';
import { DnsClient } from '../dns/dnsClient.ts';
import { addZone, NS1, NS2, RESOLVER, startTestDns, type TestDns } from '../testing/testDns.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import { LiveChecks } from './liveChecks.ts';
import { putDomains } from './putDomains.ts';
import { createRequiredRecords, RIGHT_ADDRESS } from '../testing/testDomains.ts';

// Few domains are checked at once, for all workspaces together: one with many slow domains must leave room for the
// others.

const AT_ONCE = 4;
const WAITING_MAX = 100;
const ALL_WAITING_MAX = 1000;
/** The number of domains of a workspace: more than may wait. */
const DOMAINS = 130;

let dns: TestDns;
let service: TestService;
beforeAll(async () => {
  dns = await startTestDns();
  service = await startTestService({ dnsClient: dns.dnsClient({ limits: { timeout: 1000 } }) });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});

/** Queries for names that contain it get no answer. */
let silent = '';
beforeEach(() => {
  for (const server of [RESOLVER, NS1, NS2]) {
    dns.misbehave[server] = ({ name }) => (silent !== '' && name.includes(silent) ? 'silence' : undefined);
  }
});

type Owner = { domains: string[]; check: (uuid: string, signal?: AbortSignal) => Promise<Response> };

/** A workspace with `count` domains, whose names contain `name`. */
async function ownerOf(service: TestService, name: string, count: number): Promise<Owner> {
  const workspace = await createWorkspace(service.database, { name, identity_field: null }, service.clock.now);
  const { token } = await createToken(workspace, service.database, { name: 'test', role: 'admin' }, service.clock.now);
  const zones = Array.from({ length: count }, (_, index) => `${name}${index}.test`);
  await service.database.write(workspace, (scope) =>
    putDomains(
      scope,
      zones.map((zone) => ({ name: zone, dns: createRequiredRecords(zone, ['a']) })),
      service.clock.now,
    ),
  );
  const domains = service.database.unscoped.kysely.selectFrom('domains').select('uuid');
  const rows = await domains.where('workspace_id', '=', workspace.id).execute();
  return {
    domains: rows.map(({ uuid }) => uuid),
    check: (uuid, signal) =>
      service.call(`/v1/domains/${uuid}/check`, { method: 'POST', token, ...(signal && { signal }) }),
  };
}

/** Requests that run until the test ends. */
function leaving(): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  return { signal: controller.signal, [Symbol.dispose]: () => controller.abort() };
}

/** Requests a check of all of them, and counts those that are refused. */
function checkAll({ domains, check }: Owner, signal: AbortSignal): { refused: number } {
  const asked = { refused: 0 };
  for (const uuid of domains) {
    void check(uuid, signal).then(
      ({ status }) => void (status === 429 && asked.refused++),
      // At the end of the test.
      () => {},
    );
  }
  return asked;
}

/** No server answers these checks. */
const checksWithoutAnswers = () =>
  new LiveChecks<ReadableDomain>({
    dnsClientFor: () => new DnsClient({ resolvers: [{ address: '192.0.2.1', port: 53 }] }),
    now: Date.now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });

function followCheck(checks: LiveChecks<ReadableDomain>, owner: string, index: number, signal: AbortSignal) {
  const name = `d${index}.test`;
  const domain = { uuid: randomUUID(), name, dns: createRequiredRecords(name, ['a']) } as ReadableDomain;
  return checks.follow({ owner, domain, conclude: () => Promise.resolve(domain) }, signal);
}

const slowOnes = (lines: string[]) => new Set(lines.flatMap((line) => /slow\d+/.exec(line) ?? [])).size;

test('a domain of another workspace is next, however many of one wait', async () => {
  using gone = leaving();
  const slow = await ownerOf(service, 'slow', DOMAINS);
  const other = await ownerOf(service, 'other', 1);
  addZone(dns, 'other0.test', [{ type: 'A', name: 'a.other0.test', data: RIGHT_ADDRESS }]);
  silent = 'slow';
  const asked = checkAll(slow, gone.signal);
  await expect.poll(() => asked.refused).toBeGreaterThan(0);
  const before = slowOnes(dns.queries);
  expect(before).toBeGreaterThanOrEqual(AT_ONCE);

  const response = await other.check(other.domains[0] ?? '');
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toContain('"code":"MATCH"');
  // It did not wait for the hundred, only for one of the running ones.
  const first = dns.queries.findIndex((line) => line.includes('other0.test'));
  expect(slowOnes(dns.queries.slice(0, first)) - before).toBeLessThanOrEqual(AT_ONCE);
});

test('where as many wait as may, there is room for one of each workspace that has none', async () => {
  using gone = leaving();
  const checks = checksWithoutAnswers();
  const follow = (owner: string, index: number) => followCheck(checks, owner, index, gone.signal) !== null;
  const roomFor = (owner: string) =>
    Array.from({ length: DOMAINS }, (_, index) => follow(owner, index)).filter(Boolean).length;
  expect(roomFor('first')).toBe(AT_ONCE + WAITING_MAX);
  for (let owner = 1; owner < ALL_WAITING_MAX / WAITING_MAX; owner++) {
    expect(roomFor(`${owner}`)).toBe(WAITING_MAX);
  }
  // A thousand wait.
  for (const owner of ['late', 'later', 'last']) expect(roomFor(owner)).toBe(1);
});

test('a check that all have left counts as abandoned, whether it ran or waited', async () => {
  const checks = checksWithoutAnswers();
  const clients = Array.from({ length: AT_ONCE + 3 }, (_, index) => {
    const client = new AbortController();
    followCheck(checks, 'owner', index, client.signal);
    return client;
  });
  expect(checks.counts).toMatchObject({ inFlight: AT_ONCE, waiting: 3 });
  for (const client of clients) client.abort();
  await expect.poll(() => checks.counts).toMatchObject({ inFlight: 0, waiting: 0, ended: { abandoned: AT_ONCE + 3 } });
});
