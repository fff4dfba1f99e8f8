import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listContacts } from '#contract/additions.ts';
import { additions } from '#contract/openapi/allAdditions.ts';
import { buildPath, type Operation } from '#contract/openapi/endpoint.ts';
import { listDomains, operations, unsubscribeContact, updateContact } from '#contract/interface.ts';
import type { PersonRole } from '#contract/members.ts';
import { Problem } from '#contract/problem.ts';
import type { Role } from '#contract/role.ts';
import { requiredRole } from '#contract/roles.ts';
import { findCase, successOf } from '../testing/operationCases.ts';
import { CONSOLE, newPerson } from '../testing/testPeople.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';
import { createToken } from '../workspaces/store.ts';

// That the service enforces roles, for each credential. The table: contract/roles.test.ts.

type Headers = Record<string, string>;

let service: TestService;
let own: Tenant;
let other: Tenant;
beforeAll(async () => {
  service = await startTestService({ settings: { RATE_LIMIT: '0' } });
  [own, other] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

async function newToken({ workspace }: Tenant, role: Role): Promise<string> {
  return (await createToken(workspace, service.database, { name: role, role }, service.clock.now)).token;
}

const signIn = (token: string) => service.call('/session', { method: 'POST', json: { token }, headers: CONSOLE });

async function openSession(token: string): Promise<Headers> {
  const response = await signIn(token);
  expect(response.status).toBe(200);
  return { ...CONSOLE, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

const byToken = async (tenant: Tenant, role: Role) => ({ authorization: `Bearer ${await newToken(tenant, role)}` });

async function send(
  operation: Operation,
  headers: Headers,
  { method = operation.method, json = findCase(operation).body }: { method?: string; json?: unknown } = {},
) {
  return service.call(buildPath(operation, await findCase(operation).params(own)), { method, json, headers });
}

async function expectRefusal(response: Response, needed: Role, has: string): Promise<void> {
  expect(response.status).toBe(403);
  expect(Problem.parse(await response.json()).detail).toBe(`This needs the role "${needed}". ${has}.`);
}

describe.each<[who: string, has: string, as: (tenant: Tenant, role: PersonRole) => Promise<Headers>]>([
  ['a token', 'This token has', byToken],
  ['a session', 'This token has', async (tenant, role) => openSession(await newToken(tenant, role))],
  ['a session of a person', 'You have', ({ workspace }, role) => newPerson(service, workspace, role)],
])('by %s', (_, has, as) => {
  test('a role without an operation is refused before the body is read', async () => {
    const before = await snapshotTenantData(own, service.database);
    for (const json of [undefined, '{ not what it wants']) {
      await expectRefusal(
        await send(updateContact, await as(own, 'support'), { json }),
        'editor',
        `${has} the role "support"`,
      );
    }
    expect(await snapshotTenantData(own, service.database)).toBe(before);
    expect((await send(updateContact, await as(own, 'editor'))).status).toBe(200);
  });

  test('nothing of another workspace is reachable', async () => {
    const before = await snapshotTenantData(own, service.database);
    const headers = await as(other, 'admin');
    expect((await send(updateContact, headers)).status).toBe(404);
    expect((await send(unsubscribeContact, headers)).status).toBe(403);
    expect(await (await send(listDomains, headers)).text()).not.toContain(own.canary);
    expect((await send(listDomains, { ...headers, 'sendroom-workspace': own.workspace.uuid })).status).toBe(403);
    expect(await snapshotTenantData(own, service.database)).toBe(before);
  });
});

/** Only their own, which a new token has none of. */
const OF_OTHERS: ReadonlySet<string> = new Set(['endSession', 'updateView', 'removeView']);

const isLast = (operation: Operation) => findCase(operation).isLast === true;

test('the least role of an operation may call it, and no lower one', async () => {
  for (const operation of [...operations, ...additions].toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
    const needed = requiredRole(operation.id);
    const lower = { read: 'ingest', support: 'read', editor: 'support', ingest: 'editor', admin: 'editor' } as const;
    const before = await snapshotTenantData(own, service.database);
    const refused = await send(operation, await byToken(own, lower[needed]));
    await expectRefusal(refused, needed, `This token has the role "${lower[needed]}"`);
    expect(await snapshotTenantData(own, service.database), operation.id).toBe(before);
    const expected = OF_OTHERS.has(operation.id) ? 404 : successOf(operation);
    const allowed = await send(operation, await byToken(own, needed));
    expect(allowed.status, operation.id).toBe(expected);
    // To its end: a check stores its verdicts with the last line.
    await allowed.text();
  }
});

test('HEAD needs the role of GET', async () => {
  expect((await send(listContacts, await byToken(own, 'ingest'), { method: 'HEAD' })).status).toBe(403);
  expect((await send(listContacts, await byToken(own, 'read'), { method: 'HEAD' })).status).toBe(200);
});

test('a token for programs cannot sign in', async () => {
  const response = await signIn(await newToken(own, 'ingest'));
  expect(response.status).toBe(403);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(Problem.parse(await response.json()).detail).toBe(
    'This token is for programs: the role "ingest" can\'t read.',
  );
});

test('session and workspace state the role', async () => {
  const token = await newToken(own, 'support');
  expect(await (await signIn(token)).json()).toMatchObject({ data: { role: 'support' } });
  const workspace = await service.call('/v1/workspace', { token });
  expect(await workspace.json()).toMatchObject({ data: { role: 'support' } });
});

describe('a token that expires', () => {
  test('is accepted until then, as are its sessions', async () => {
    const expires_at = service.clock.now + 60_000;
    const made = { name: 'short', role: 'admin', expires_at } as const;
    const { token } = await createToken(own.workspace, service.database, made, service.clock.now);
    const session = await openSession(token);
    const statuses = async () => [
      (await service.call('/v1/domains', { token })).status,
      (await service.call('/v1/domains', { headers: session })).status,
    ];
    service.clock.now = expires_at - 1;
    expect(await statuses()).toEqual([200, 200]);
    service.clock.now = expires_at;
    expect(await statuses()).toEqual([401, 401]);
    expect((await signIn(token)).status).toBe(401);
  });
});

const usedAt = (uuid: string) =>
  service.database.unscoped.kysely
    .selectFrom('tokens')
    .select('used_at')
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();

describe('when a token was used last', () => {
  test('is known to the day, including sessions, and written once a day', async () => {
    const DAY = 86_400_000;
    const day = Math.ceil(service.clock.now / DAY) * DAY;
    const { uuid, token } = await createToken(own.workspace, service.database, { name: 'used', role: 'read' }, 0);
    expect(await usedAt(uuid)).toEqual({ used_at: null });

    service.clock.now = day + 5000;
    expect((await service.call('/v1/domains', { token })).status).toBe(200);
    await expect.poll(() => usedAt(uuid)).toEqual({ used_at: day });

    service.clock.now = day + DAY - 60_000;
    const session = await openSession(token);
    service.clock.now = day + DAY;
    expect((await service.call('/v1/domains', { headers: session })).status).toBe(200);
    await expect.poll(() => usedAt(uuid)).toEqual({ used_at: day + DAY });
  });
});
