import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { DnsClient } from '../../dns/conversation/dnsClient.ts';
import { LiveChecks } from './liveChecks.ts';
import { ResolverWatch } from './resolverWatch.ts';

// Few domains are checked at once, for all workspaces together: one with many slow domains must leave room for the
// others.

const AT_ONCE = 4;
const WAITING_MAX = 100;
const ALL_WAITING_MAX = 1000;

/** Checks whose questions get no answer, which comes out at `giveUp`; `begun` are those that began. */
function createChecks() {
  const begun: string[] = [];
  const resolvers = [{ address: '192.0.2.1', port: 53 }];
  const { promise, resolve } = Promise.withResolvers<'timeout'>();
  const dnsClient = new DnsClient({ resolvers, transport: () => promise });
  const checks = new LiveChecks<ReadableDomain>({
    resolvers: new ResolverWatch(() => {}),
    dnsClientFor: (name) => {
      begun.push(name);
      return dnsClient;
    },
    now: Date.now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  let count = 0;
  /** A client that asks for the check of another domain of this owner; null where it is refused. */
  const follow = (owner: string): AbortController | null => {
    const client = new AbortController();
    onTestFinished(() => client.abort());
    const name = `${owner}${count++}.test`;
    const dns = [{ type: 'A', name, value: '192.0.2.1', is_valid: false }];
    const domain = { uuid: randomUUID(), name, dns } as unknown as ReadableDomain;
    const subject = { owner, domain, sendsBulk: true, conclude: () => Promise.resolve(domain) };
    return checks.follow(subject, client.signal) === null ? null : client;
  };
  /** How many clients of this owner are not refused. */
  const roomFor = (owner: string) =>
    Array.from({ length: 130 }, () => follow(owner)).filter((client) => client !== null).length;
  return { begun, checks, follow, roomFor, giveUp: () => resolve('timeout') };
}

test('a domain of another workspace is next, however many of one wait', async () => {
  const { begun, follow, roomFor, giveUp } = createChecks();
  roomFor('slow');
  follow('other');
  await expect.poll(() => begun.length).toBe(AT_ONCE);
  giveUp();
  await expect.poll(() => begun.at(AT_ONCE)).toMatch(/^other/);
});

test('where as many wait as may, there is room for one of each workspace that has none', () => {
  const { roomFor } = createChecks();
  expect(roomFor('first')).toBe(AT_ONCE + WAITING_MAX);
  for (let owner = 1; owner < ALL_WAITING_MAX / WAITING_MAX; owner++) {
    expect(roomFor(`${owner}`)).toBe(WAITING_MAX);
  }
  // A thousand wait.
  for (const owner of ['late', 'later', 'last']) expect(roomFor(owner)).toBe(1);
});

test('a check that all have left counts as abandoned, whether it ran or waited', async () => {
  const { checks, follow, giveUp } = createChecks();
  const clients = Array.from({ length: AT_ONCE + 3 }, () => follow('owner'));
  expect(checks.counts).toMatchObject({ inFlight: AT_ONCE, waiting: 3 });
  for (const client of clients) client?.abort();
  giveUp();
  await expect.poll(() => checks.counts).toMatchObject({ inFlight: 0, waiting: 0, ended: { abandoned: AT_ONCE + 3 } });
});
