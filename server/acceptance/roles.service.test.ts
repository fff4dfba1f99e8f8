import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { additions } from '#contract/allAdditions.ts';
import { buildPath, type Operation } from '#contract/endpoint.ts';
import { operations } from '#contract/interface.ts';
import { Problem } from '#contract/problem.ts';
import { PERSON_ROLES } from '#contract/people.ts';
import { type Role, ROLES } from '#contract/role.ts';
import type { OperationId } from '#contract/roles.ts';
import { findCase, successOf } from '../testing/operationCases.ts';
import { newPerson } from '../testing/testPeople.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';
import { createToken } from '../workspaces/store.ts';

// Every operation, with every role, by every kind of credential.

/** What each role may do, said once more without the table of the contract. */
const READS: OperationId[] = [
  'listContactEvents',
  'listDomains',
  'listDomainAddresses',
  'getWorkspace',
  'listContacts',
  'getContact',
  'listContactChanges',
  'getContactActivity',
  'getDomainSummary',
  'getOverview',
  'listChanges',
  'checkDomain',
  'recordExport',
  'listSessions',
  'endSession',
];
const SUPPORTS: OperationId[] = [...READS, 'unsubscribeContact', 'subscribeContact', 'exportPerson'];
const EDITS: OperationId[] = [...SUPPORTS, 'updateContact'];
const INGESTS: OperationId[] = ['createContact', 'recordEvent', 'recordEvents'];
const ADMINISTERS: OperationId[] = [
  'listMembers',
  'inviteMember',
  'updateMember',
  'removeMember',
  'listTokens',
  'createToken',
  'revokeToken',
  'previewErasure',
  'eraseContact',
  'liftErasure',
];
const EVERYTHING: OperationId[] = [...EDITS, ...INGESTS, ...ADMINISTERS];
const ALLOWED: Record<Role, OperationId[]> = {
  read: READS,
  support: SUPPORTS,
  editor: EDITS,
  ingest: INGESTS,
  admin: EVERYTHING,
};

const CONSOLE = { 'sendroom-console': '1' };
const served = [...operations, ...additions];

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

/** The headers of a call by the session of a token; null where it has none. */
async function openSession(token: string): Promise<Record<string, string> | null> {
  const response = await signIn(token);
  return response.status === 200
    ? { ...CONSOLE, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    : null;
}

/** Calls the operation about a resource of `owner`. */
async function send(operation: Operation, headers: Record<string, string>, owner = own): Promise<Response> {
  const { params, body: json } = findCase(operation);
  return service.call(buildPath(operation, await params(owner)), { method: operation.method, json, headers });
}

/** A new tenant for an operation whose resource is gone afterwards. */
async function ownerFor(operation: Operation): Promise<Tenant> {
  if (findCase(operation).isLast !== true) return own;
  return (await createTwinTenants(service.database, service.clock.now))[0];
}

/** Only an admin ends a session that is not theirs. */
const answerTo = (operation: Operation, role: Role) =>
  operation.id === 'endSession' && role !== 'admin' ? 404 : successOf(operation);

async function expectRefusal(response: Response, role: Role, who = 'This token has'): Promise<void> {
  expect(response.status).toBe(403);
  expect(Problem.parse(await response.json()).detail).toMatch(
    new RegExp(String.raw`^This needs the role "\w+"\. ${who} the role "${role}"\.$`),
  );
}

test('every operation is in the lists above', () => {
  expect(EVERYTHING.toSorted()).toEqual(served.map(({ id }) => id).toSorted());
});

describe.each(ROLES)('with the role %s', (role) => {
  describe.each(served.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
    const isAllowed = ALLOWED[role].includes(id);

    test(`${isAllowed ? 'is answered' : 'is refused, and changes nothing'}: by a token`, async () => {
      const owner = await ownerFor(operation);
      const before = await snapshotTenantData(owner, service.database);
      const response = await send(operation, { authorization: `Bearer ${await newToken(owner, role)}` }, owner);
      if (isAllowed) return expect(response.status).toBe(answerTo(operation, role));
      await expectRefusal(response, role);
      expect(await snapshotTenantData(owner, service.database)).toBe(before);
    });

    test('by a session, the same', async () => {
      const owner = await ownerFor(operation);
      const session = await openSession(await newToken(owner, role));
      if (role === 'ingest') return expect(session).toBeNull();
      const response = await send(operation, session ?? {}, owner);
      if (isAllowed) expect(response.status).toBe(answerTo(operation, role));
      else await expectRefusal(response, role);
    });

    test('by a session of a person, the same', async () => {
      const personRole = PERSON_ROLES.find((one) => one === role);
      if (personRole === undefined) return;
      const response = await send(operation, await newPerson(service, own.workspace, personRole));
      if (isAllowed) return expect(response.status).toBe(answerTo(operation, role));
      await expectRefusal(response, role, 'You have');
    });

    test('by a session of a person of another workspace, never', async () => {
      const personRole = PERSON_ROLES.find((one) => one === role);
      if (personRole === undefined) return;
      const session = await newPerson(service, other.workspace, personRole);
      const before = await snapshotTenantData(own, service.database);
      const response = await send(operation, session);
      const { foreign } = findCase(operation);
      if (!isAllowed) await expectRefusal(response, role, 'You have');
      else if (foreign === 'unseen') expect(await response.text()).not.toContain(own.canary);
      else expect(response.status).toBe(foreign);
      const wanted = await send(operation, { ...session, 'sendroom-workspace': own.workspace.uuid });
      expect(wanted.status).toBe(403);
      expect(await snapshotTenantData(own, service.database)).toBe(before);
    });

    test('by a session of another workspace, never', async () => {
      const session = await openSession(await newToken(other, role));
      if (role === 'ingest') return expect(session).toBeNull();
      const before = await snapshotTenantData(own, service.database);
      const response = await send(operation, session ?? {});
      const { foreign } = findCase(operation);
      if (!isAllowed) await expectRefusal(response, role);
      else if (foreign === 'unseen') expect(await response.text()).not.toContain(own.canary);
      else expect(response.status).toBe(foreign);
      expect(await snapshotTenantData(own, service.database)).toBe(before);
    });
  });
});

test('a refusal names the role that is missing, before the body is read', async () => {
  const response = await service.call(`/v1/contacts/${own.contact}`, {
    method: 'POST',
    json: '{ not what it wants',
    token: await newToken(own, 'support'),
  });
  expect(response.status).toBe(403);
  expect(Problem.parse(await response.json()).detail).toBe(
    'This needs the role "editor". This token has the role "support".',
  );
});

test('a token for programs signs nobody in', async () => {
  const response = await signIn(await newToken(own, 'ingest'));
  expect(response.status).toBe(403);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(Problem.parse(await response.json()).detail).toBe(
    'This token is for programs: with the role "ingest" it reads nothing.',
  );
});

test.each(ROLES.filter((role) => role !== 'ingest'))('the session says its role: %s', async (role) => {
  const response = await signIn(await newToken(own, role));
  expect(await response.json()).toMatchObject({ data: { role } });
  const workspace = await service.call('/v1/workspace', { token: await newToken(own, role) });
  expect(await workspace.json()).toMatchObject({ data: { role } });
});

test('OpenAPI says the role of every operation', async () => {
  const { paths } = (await (await service.call('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId: OperationId; 'x-required-role': Role }>>;
  };
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  const levels: Role[] = ['read', 'support', 'editor', 'ingest', 'admin'];
  const least = (id: OperationId) => levels.find((role) => ALLOWED[role].includes(id));
  expect(described).toHaveLength(served.length);
  for (const { operationId, 'x-required-role': role } of described)
    expect([operationId, role]).toEqual([operationId, least(operationId)]);
});

describe('a token that expires', () => {
  test('is accepted until then, and so are its sessions', async () => {
    const expires_at = service.clock.now + 60_000;
    const made = { name: 'short', role: 'admin', expires_at } as const;
    const { token } = await createToken(own.workspace, service.database, made, service.clock.now);
    const session = await openSession(token);
    const statuses = async () => [
      (await service.call('/v1/domains', { token })).status,
      (await service.call('/v1/domains', { headers: session ?? {} })).status,
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
  test('is known to the day, also of sessions, and written once a day', async () => {
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
    expect((await service.call('/v1/domains', { headers: session ?? {} })).status).toBe(200);
    await expect.poll(() => usedAt(uuid)).toEqual({ used_at: day + DAY });
  });
});
