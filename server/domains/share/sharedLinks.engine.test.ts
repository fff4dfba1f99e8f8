import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listChanges } from '#contract/auditLog.ts';
import {
  createSharedLink,
  checkSharedDomain,
  getSharedDomain,
  SHARED_LINKS_MAX,
} from '#contract/domains/sharedLinks.ts';
import { DnsClient } from '../../dns/conversation/dnsClient.ts';
import { newMember, removeMember } from '../../members/members.ts';
import { createToken, setSuspended } from '../../workspaces/store.ts';
import { startTestGateway } from '../../testing/testGateway.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../../testing/testTenants.ts';
import { startTestUpstream } from '../../testing/testUpstream.ts';
import { putDomains } from '../putDomains.ts';
import { listDomains } from '../store.ts';
import { createSharedLink as createSharedLinkOf } from './sharedLinks.ts';
import { ALL } from '../../testing/testList.ts';

// Who has a link sees the records of one domain, while the link works, and nothing else.

const DAY = 86_400_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

let service: TestService;
let own: Tenant;
let twin: Tenant;
/** Sent to name servers, which don't answer. */
let queries = 0;
/** What their time-outs wait for. */
let held = { promise: Promise.resolve() };
const transport = async () => {
  queries++;
  await held.promise;
  return 'timeout' as const;
};

beforeAll(async () => {
  const dnsClient = new DnsClient({ resolvers: [{ address: '192.0.2.1', port: 53 }], transport });
  service = await startTestService({ dnsClient });
  [own, twin] = await createTwinTenants(service.database, service.clock.now);
  const dns = [
    { type: 'TXT', name: '_dmarc.mail.example.com', value: 'v=DMARC1; p=none', is_valid: true },
    { type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.example.net', is_valid: false },
  ];
  const domain = { uuid: own.domain, name: 'mail.example.com', mail_from_domain: own.canary, dns };
  await service.database.write(own.workspace, (scope) => putDomains(scope, [domain], service.clock.now));
});
afterAll(() => service[Symbol.asyncDispose]());

type Call = { secret?: string; headers?: Record<string, string> };

const get = ({ secret, headers }: Call = {}) =>
  service.call(getSharedDomain.path, { ...(secret !== undefined && { token: secret }), ...(headers && { headers }) });
const check = (secret: string) => service.call(checkSharedDomain.path, { method: 'POST', token: secret });

async function newLink({ domain, token }: Tenant): Promise<{ uuid: string; secret: string }> {
  const response = await service.call(`/v1/domains/${domain}/shared-links`, { method: 'POST', token });
  const { link, secret } = createSharedLink.result.parse(await response.json()).data;
  return { uuid: link.uuid, secret };
}

async function linesOf(response: Response): Promise<unknown[]> {
  const lines = (await response.text()).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

async function loggedActions(): Promise<unknown[]> {
  const response = await service.call(`${listChanges.path}?per_page=100`, { token: own.token });
  const { data } = listChanges.result.parse(await response.json());
  return data
    .filter(({ action }) => action.startsWith('link_'))
    .map(({ action, actor, details }) => [action, actor.kind, details])
    .toReversed();
}

test('the holder gets the name and the records, and nothing that names anything else', async () => {
  const { secret } = await newLink(own);
  const response = await get({ secret });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(JSON.parse(text)).toEqual({
    data: {
      name: 'mail.example.com',
      records: [
        { type: 'TXT', name: '_dmarc.mail.example.com', value: 'v=DMARC1; p=none' },
        { type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.example.net' },
      ],
      expires_at: new Date(service.clock.now + 7 * DAY).toISOString(),
    },
  });
  const checked = await check(secret);
  const lines = await linesOf(checked);
  expect(lines).toMatchObject([
    { kind: 'record', index: 0, record: { type: 'TXT' }, finding: { result: 'unknown' } },
    { kind: 'record', index: 1, record: { type: 'CNAME' }, finding: { result: 'unknown' } },
    { kind: 'end', checked_at: new Date(service.clock.now).toISOString() },
  ]);
  for (const line of lines) checkSharedDomain.result.parse(line);
  const all = JSON.stringify([lines, text, ...checked.headers]);
  expect(all.replaceAll(/"x-request-id":"[^"]*"|"x-request-id","[^"]*"/g, '')).not.toMatch(UUID);
  for (const secretOf of [own.canary, 'news@', 'billing@', secret]) expect(all).not.toContain(secretOf);
});

test('a check through a link is one with a check in the console: it queries nothing more, and stores its verdicts', async () => {
  service.clock.now += DAY;
  const { secret } = await newLink(own);
  await linesOf(await check(secret));
  const sent = queries;
  expect(sent).toBeGreaterThan(0);
  await linesOf(await service.call(`/v1/domains/${own.domain}/check`, { method: 'POST', token: own.token }));
  await linesOf(await check((await newLink(own)).secret));
  expect(queries).toBe(sent);
  const checkedAt = await service.database.unscoped.kysely
    .selectFrom('domains')
    .select('next_check_at')
    .where('workspace_id', '=', own.workspace.id)
    .executeTakeFirstOrThrow();
  expect(checkedAt.next_check_at).toBeGreaterThan(service.clock.now);
});

const guesses: [what: string, find: () => Promise<Call> | Call][] = [
  ['unknown', () => ({ secret: 'A'.repeat(43) })],
  ['no secret', () => ({})],
  ['another scheme', () => ({ headers: { authorization: 'Basic QQ==' } })],
  ['a token', () => ({ secret: own.token })],
  [
    'the UUID of a link',
    async () => {
      const { uuid } = await newLink(own);
      return { secret: uuid };
    },
  ],
  [
    'a revoked one',
    async () => {
      const { uuid, secret } = await newLink(own);
      expect((await get({ secret })).status).toBe(200);
      const path = `/v1/domains/${own.domain}/shared-links/${uuid}`;
      expect((await service.call(path, { method: 'DELETE', token: own.token })).status).toBe(200);
      return { secret };
    },
  ],
  [
    'one after seven days',
    async () => {
      const made = service.clock.now;
      const { secret } = await newLink(own);
      service.clock.now = made + 7 * DAY - 1;
      expect((await get({ secret })).status).toBe(200);
      service.clock.now = made + 7 * DAY;
      return { secret };
    },
  ],
  [
    'one of a suspended workspace',
    async () => {
      const { secret } = await newLink(twin);
      await setSuspended(twin.workspace, service.database, true);
      return { secret };
    },
  ],
  [
    'one of a domain that is gone',
    async () => {
      await setSuspended(twin.workspace, service.database, false);
      const { secret } = await newLink(twin);
      expect((await get({ secret })).status).toBe(200);
      await service.database.write(twin.workspace, async (scope) => {
        for (const table of ['domain_spans', 'incidents', 'acceptances', 'addresses', 'dns_records'] as const) {
          await scope.delete(table).execute();
        }
        await scope.delete('domains').execute();
      });
      return { secret };
    },
  ],
];

test.each(guesses)('every link that does not work has one response: %s', async (_, find) => {
  const call = await find();
  const { authorization = `Bearer ${call.secret}` } = call.headers ?? {};
  const checked = await service.call(checkSharedDomain.path, { method: 'POST', headers: { authorization } });
  for (const response of [await get(call), checked]) {
    const { request_id: _, ...problem } = (await response.json()) as Record<string, unknown>;
    expect(problem).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'This link has expired or was revoked. Ask the person who sent it for a new one.',
    });
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
  }
});

test('the secret of a link is no access token, and is neither stored nor logged', async () => {
  const { secret } = await newLink(own);
  // 256 bits.
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect((await service.call('/v1/domains', { token: secret })).status).toBe(401);
  expect((await get({ secret })).status).toBe(200);
  const rows = await service.database.unscoped.kysely.selectFrom('shared_links').selectAll().execute();
  const log = await service.call(`${listChanges.path}?per_page=100`, { token: own.token });
  for (const text of [JSON.stringify(rows), service.log.join(''), await log.text()]) expect(text).not.toContain(secret);
});

test('the log has who created and revoked a link, and when it was first opened', async () => {
  const before = (await loggedActions()).length;
  const path = `/v1/domains/${own.domain}/shared-links`;
  const { uuid, secret } = await newLink(own);
  await Promise.all([get({ secret }), get({ secret })]);
  await get({ secret });
  for (let count = 0; count < 2; count++) {
    await service.call(`${path}/${uuid}`, { method: 'DELETE', token: own.token });
  }
  const details = { link: uuid, domain: 'mail.example.com' };
  expect((await loggedActions()).slice(before)).toEqual([
    ['link_create', 'token', details],
    ['link_open', 'service', details],
    ['link_revoke', 'token', details],
  ]);
});

async function checkWhile(secret: string, end: () => Promise<unknown>): Promise<string> {
  service.clock.now += 60_000;
  const sent = queries;
  const release = Promise.withResolvers<void>();
  held = release;
  const running = check(secret);
  await vi.waitFor(() => expect(queries).toBeGreaterThan(sent));
  await end();
  await delay(150);
  release.resolve();
  return (await running).text().catch(() => 'cut');
}

test('a link ends with the token or member that made it, and so does a check that runs', async () => {
  const { workspace, domain } = own;
  const made = await createToken(workspace, service.database, { name: 'leaver', role: 'editor' }, service.clock.now);
  const ofToken = await newLink({ ...own, token: made.token });
  const lines = await checkWhile(ofToken.secret, () =>
    service.call(`/v1/tokens/${made.uuid}`, { method: 'DELETE', token: own.token }),
  );
  expect(lines).not.toContain('"kind"');
  const person = { kind: 'person', uuid: randomUUID(), name: 'Lea Ver', email: null, subject: null } as const;
  const author = { actor: person, requestId: null, run: null };
  const by = { now: service.clock.now, author };
  const ofPerson = await createSharedLinkOf(workspace, service.database, domain, by);
  if (ofPerson === null || ofPerson === 'tooMany') throw new Error('There is no link.');
  const others = await newLink(own);
  const membership = { email: 'lea@example.com', role: 'admin', source: 'invited', last_seen_at: null } as const;
  const row = newMember({ ...membership, name: null, person_uuid: person.uuid }, service.clock.now);
  await service.database.write(workspace, (scope) => scope.insert('members', row).execute());
  await removeMember(workspace, service.database, row.uuid, { now: service.clock.now });
  const statuses = [ofToken, ofPerson, others].map(async ({ secret }) => (await get({ secret })).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
  expect(await loggedActions()).toEqual(
    expect.arrayContaining([
      ['link_revoke', 'token', { link: ofToken.uuid, domain: 'mail.example.com' }],
      ['link_revoke', 'command', { link: ofPerson.link.uuid, domain: 'mail.example.com' }],
    ]),
  );
});

test('guessing is limited by address, and does not keep a holder at the same address out', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.77' };
  const { secret } = await newLink(own);
  const statuses = new Set<number>();
  for (let count = 0; count < 70; count++) {
    const guess = `${count}`.padStart(43, 'x');
    statuses.add((await get({ secret: guess, headers })).status);
  }
  expect(statuses).toEqual(new Set([404, 429]));
  expect((await get({ secret, headers })).status).toBe(200);
});

test('a link has limits of its own: 12 checks and 60 other requests a minute', async () => {
  const { secret } = await newLink(own);
  const sent = queries;
  const checks: number[] = [];
  for (let count = 0; count < 14; count++) {
    const response = await check(secret);
    await response.text();
    checks.push(response.status);
  }
  expect(checks).toEqual([...Array.from({ length: 12 }, () => 200), 429, 429]);
  const reads: Response[] = [];
  for (let count = 0; count < 62; count++) reads.push(await get({ secret }));
  expect(reads.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(reads.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/);
  // One check at most, which all have shared.
  expect(queries - sent).toBeLessThan(100);
  expect((await get({ secret: (await newLink(own)).secret })).status).toBe(200);
});

test('20 links of a domain work at the same time', async () => {
  service.clock.now += 8 * DAY;
  const path = `/v1/domains/${own.domain}/shared-links`;
  const create = () => service.call(path, { method: 'POST', token: own.token });
  const links: string[] = [];
  for (let count = 0; count < SHARED_LINKS_MAX; count++) {
    links.push(createSharedLink.result.parse(await (await create()).json()).data.link.uuid);
  }
  expect((await create()).status).toBe(409);
  await service.call(`${path}/${links[0]}`, { method: 'DELETE', token: own.token });
  expect((await create()).status).toBe(200);
});

test("a link leads to its own domain, whatever the workspace's other domains are", async () => {
  service.clock.now += 8 * DAY;
  await service.database.write(own.workspace, (scope) =>
    putDomains(scope, [{ name: 'other.example.com', dns: [] }], service.clock.now),
  );
  const { data } = await listDomains(own.workspace, service.database, ALL);
  const { secret } = await newLink(own);
  for (const { uuid, name } of data.filter((one) => one.uuid !== own.domain)) {
    for (const query of [`?domain=${uuid}`, `?domain=${name}`]) {
      const response = await service.call(`${getSharedDomain.path}${query}`, { token: secret });
      expect(await response.text()).not.toContain(name);
    }
  }
});

test('without additions, and in a gateway, there are no links', async () => {
  await using bare = await startTestService({ settings: { ADDITIONS: 'off' } });
  await using upstream = await startTestUpstream();
  await using gateway = await startTestGateway({ upstream: upstream.url });
  for (const url of [bare.url, gateway.url]) {
    for (const [method, path] of [
      ['GET', getSharedDomain.path],
      ['POST', checkSharedDomain.path],
      ['GET', '/shared'],
    ] as const) {
      const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${'A'.repeat(43)}` } });
      expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([404, 'Not found.']);
    }
  }
});
