import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckLine } from '#contract/domains/dnsCheck.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { putDomains } from '../../server/domains/putDomains.ts';
import { findDomainByName } from '../../server/domains/store.ts';
import { killServices, startMain } from '../../server/testing/processes/testMain.ts';
import { createToken, createWorkspace } from '../../server/workspaces/store.ts';
import { RESOLVERS, type ResolverName } from './addresses.ts';
import { type Lab, startLab } from './lab.ts';

// The service as `npm start` runs it, with a DNS that fails in every way. It must go on, and report what happened.

const RECORDS = [
  { type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.mailprovider.net' },
  { type: 'MX', name: 'bounce', value: '10 feedback.mailprovider.net' },
  { type: 'TXT', name: 'bounce', value: 'v=spf1 include:spf.mailprovider.net ~all' },
];
const RIGHT = [
  'k1._domainkey CNAME k1.dkim.mailprovider.net.',
  'bounce MX 10 feedback.mailprovider.net.',
  'bounce TXT "v=spf1 include:spf.mailprovider.net ~all"',
].join('\n');

let lab: Lab;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-service-'));
  lab = await startLab([
    { name: 'right-service.com', text: RIGHT },
    { name: 'ipv6-service.com', text: RIGHT, ns: ['v6only.badhost.net'] },
    { name: 'closed-service.com', text: RIGHT, ns: ['closed.badhost.net'] },
    { name: 'garbage-service.com', text: RIGHT, ns: ['garbage.badhost.net', 'half-tcp.badhost.net'] },
  ]);
}, 300_000);
afterAll(async () => {
  killServices();
  await lab?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;

/** Starts the service on a database with the domain `name`, and with a resolver of the lab or a missing one. */
async function serviceWith(name: string, resolver: ResolverName, settings: Readonly<Record<string, string>> = {}) {
  const url = `file:${join(folder, `${count++}.db`)}`;
  const database = await openDatabase(url);
  const workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, Date.now());
  const { token } = await createToken(workspace, database, { name: 'test', role: 'admin' }, Date.now());
  const dns = RECORDS.map((record) => ({ ...record, is_valid: true }));
  const uuid = await database.write(workspace, async (scope) => {
    await putDomains(scope, [{ name, mail_from_domain: `bounce.${name}`, dns }], Date.now() - 1000);
    return (await findDomainByName(scope, name))?.uuid ?? '';
  });
  await database.close();
  const main = startMain({
    DATABASE_URL: url,
    DEMO: 'off',
    LOG_LEVEL: 'info',
    DNS_SERVERS: RESOLVERS[resolver],
    DNS_RECHECK: 'off',
    ...settings,
  });
  const address = await main.address;
  return {
    main,
    health: async () => (await fetch(`${address}/healthz`)).status,
    check: async () => {
      const response = await fetch(`${address}/v1/domains/${uuid}/check`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(200);
      const lines = (await response.text()).trim().split('\n');
      return lines.map((line) => JSON.parse(line) as CheckLine);
    },
  };
}

const findings = (lines: readonly CheckLine[]) =>
  lines.flatMap((line) => (line.kind === 'record' ? [line.finding] : []));

// At once, because most of the time is waiting.
describe.concurrent('with such a DNS', () => {
  test('a right domain, so that the others are not right by chance', async () => {
    const { check, health } = await serviceWith('right-service.com', 'validating');
    expect(findings(await check()).map(({ result }) => result)).toEqual(['ok', 'ok', 'ok']);
    expect(await health()).toBe(200);
  });

  // What an expert would say of each, written before it was run.
  test.each<[string, string, ResolverName, RegExp]>([
    ['name servers with IPv6 only, on a host without it', 'ipv6-service.com', 'validating', /v6only\.badhost\.net/],
    ['no network at all', 'right-service.com', 'unreachable', /no resolver responds/i],
    ['a resolver that talks nonsense', 'right-service.com', 'garbage', /no resolver responds|garbled/i],
  ])('%s: nothing is known, and the service goes on', async (_, name, resolver, says) => {
    const { check, health, main } = await serviceWith(name, resolver);
    const lines = await check();
    for (const { result, diagnosis, fix } of findings(lines)) {
      expect({ result, fix }).toEqual({ result: 'unknown', fix: null });
      expect(diagnosis).toMatch(says);
    }
    expect(findings(lines)).toHaveLength(RECORDS.length);
    expect(lines.at(-1)?.kind).toBe('end');
    expect(await health()).toBe(200);
    expect(main.stderr()).not.toContain('uncaught');
    expect(await main.stop()).toBe(0);
  });

  test.each(['closed-service.com', 'garbage-service.com'])('name servers of %s do not end it', async (name) => {
    const { check, health, main } = await serviceWith(name, 'validating');
    const lines = await check();
    expect(findings(lines).map(({ result }) => result)).not.toContain('ok');
    expect(await health()).toBe(200);
    expect(main.stderr()).not.toContain('uncaught');
  });
});

test('a stored domain with IPv6-only name servers does not end the service at its start', async () => {
  const { main, health } = await serviceWith('ipv6-service.com', 'validating', { DNS_RECHECK: 'on' });
  await expect.poll(() => main.stderr()).toContain('ipv6-service.com');
  expect(await health()).toBe(200);
  expect(main.stderr()).not.toContain('uncaught');
  expect(await main.stop()).toBe(0);
});
