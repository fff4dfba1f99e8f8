import { afterAll, beforeAll, expect, test } from 'vitest';
import { ndjson, startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';
import { putContacts } from '../contacts/store.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { migrations } from '../database/migrations/migrations.ts';
import type { Migration } from '../database/migrations/migration.ts';
import { createTestStorage } from '../testing/testDatabase.ts';
import { startTestProxy } from '../testing/testProxy.ts';
import { createSignInCode } from '../sessions/store.ts';
import { killServices, type StartedService, startService } from '../testing/testMain.ts';
import { createToken, createWorkspace, listWorkspaces, revokeToken } from '../workspaces/store.ts';

// Several processes of the service and of the admin command on one PostgreSQL.

let t: TestAdmin;
let services: [StartedService, StartedService, StartedService];
beforeAll(async () => {
  t = await startTestAdmin();
  services = await Promise.all([startService(t.url), startService(t.url), startService(t.url)]);
});
afterAll(async () => {
  killServices();
  await t[Symbol.asyncDispose]();
});

type RequestOptions = { token?: string; cookie?: string; method?: string; json?: unknown; address?: string };

function call(
  service: StartedService,
  path: string,
  { token, cookie, json, method, address }: RequestOptions,
): Promise<Response> {
  return fetch(`${service.address}${path}`, {
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cookie !== undefined && { cookie }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
      'sendroom-console': '1',
      'content-type': 'application/json',
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
}

const newToken = () => createToken(t.workspace, t.database, { name: 'support', role: 'admin' }, Date.now());

test('processes that start at once on a new database make it once, and all of them serve', async () => {
  await using place = await createTestStorage();
  const started = await Promise.all([startService(place.url), startService(place.url)]);
  for (const service of started) {
    expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
    await service.kill();
  }
});

test('what all of them change at once is all there, with exact counters and an exact log', async () => {
  const CONTACTS = 4;
  const ROUNDS = 12;
  const EVENTS = 700;
  const { token } = await newToken();
  const emails = Array.from({ length: CONTACTS }, (_, index) => `c${index}@example.com`);
  await t.database.write(t.workspace, (scope) =>
    putContacts(
      scope,
      emails.map((email) => ({ attributes: { email } })),
      Date.now(),
    ),
  );
  // More events of one contact than are counted without periods, from two imports at once.
  const imports = ['a', 'b'].map(async (name) => {
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      contact: emails[0],
      event_name: `${name}${index % 3}`,
      attributes: {},
      created_at: new Date(index * 1000).toISOString(),
    }));
    const said = await t.importFile('events', await t.file(`${name}.ndjson`, ndjson(events)));
    expect(said.result()).toMatchObject({ added: EVENTS, refused: 0 });
  });
  const at = `/v1/workspaces/${t.workspace.uuid}/contacts`;
  const changes = services.flatMap((service, index) =>
    emails.map(async (email) => {
      for (let round = 0; round < ROUNDS; round++) {
        const answers = [
          await call(service, `/v1/contacts/${email}`, { token, json: { attributes: { [`k${index}`]: round } } }),
          await call(service, `${at}/${email}/unsubscribe`, { token, json: {} }),
          await call(service, `${at}/${email}/subscribe`, { token, json: { reason: `Round ${round}` } }),
        ];
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      }
    }),
  );
  await Promise.all([...imports, ...changes]);

  for (const email of emails) {
    const answer = await call(services[0], `/v1/contacts/${email}`, { token });
    expect(await answer.json()).toMatchObject({ data: { attributes: { k0: 11, k1: 11, k2: 11 } } });
  }
  const events = await call(services[1], `/v1/contacts/${emails[0]}/events`, { token });
  expect(await events.json()).toMatchObject({ meta: { total: 2 * EVENTS } });
  const checked = await t.admin(['check', '--workspace', t.workspace.uuid]);
  expect(checked).toMatchObject({ code: 0, out: 'All counters are right, and the log agrees with every contact.\n' });
});

test('a backup is left to the server', async () => {
  const said = await t.admin(['backup', 'copy.db']);
  expect(said).toMatchObject({
    code: 1,
    err: 'PostgreSQL has backups of its own: use pg_dump, or those of its host.\n',
  });
});

test('of two that give one identity to two contacts at once, one is refused', async () => {
  const { token } = await newToken();
  const people = Array.from({ length: 10 }, (_, index) => ({ attributes: { email: `twin${index}@example.com` } }));
  await t.database.write(t.workspace, (scope) => putContacts(scope, people, Date.now()));
  for (let pair = 0; pair < 10; pair += 2) {
    const answers = await Promise.all(
      [pair, pair + 1].map((index) =>
        call(services[index % 2] as StartedService, `/v1/contacts/twin${index}@example.com`, {
          token,
          json: { attributes: { phone: `+49 ${pair}` } },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  }
});

test('a session of one is a session of all; signing out, and revoking the token, end it everywhere at once', async () => {
  const { token, uuid } = await newToken();
  const signIn = async () => {
    const response = await call(services[0], '/session', { json: { token } });
    return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  const statuses = (cookie: string) =>
    Promise.all(services.map(async (service) => (await call(service, '/v1/workspace', { cookie })).status));

  const cookie = await signIn();
  expect(await statuses(cookie)).toEqual([200, 200, 200]);
  // Also during an import: sessions belong to no workspace.
  const imported = Promise.withResolvers<void>();
  const importing = t.database.write(t.workspace, () => imported.promise);
  expect((await call(services[1], '/session', { cookie, method: 'DELETE' })).status).toBe(204);
  expect(await statuses(cookie)).toEqual([401, 401, 401]);
  imported.resolve();
  await importing;

  const other = await signIn();
  expect(await statuses(other)).toEqual([200, 200, 200]);
  await revokeToken(t.workspace, t.database, uuid, Date.now());
  expect(await statuses(other)).toEqual([401, 401, 401]);
  expect((await call(services[2], '/v1/workspace', { token })).status).toBe(401);
});

test('a sign-in link opens one session, however many processes it is used at', async () => {
  const { uuid } = await newToken();
  const code = await createSignInCode(
    t.database,
    { workspace: t.workspace, token: { uuid, name: 'support' } },
    Date.now(),
  );
  const answers = await Promise.all(services.map((service) => call(service, '/session', { json: { code } })));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401, 401]);
});

test('a token has twenty sessions, whichever processes they were opened at', async () => {
  const { token, uuid } = await newToken();
  const attempts = services.flatMap((service) =>
    Array.from({ length: 20 }, () => call(service, '/session', { json: { token } })),
  );
  const cookies = (await Promise.all(attempts)).map(({ headers }) => headers.getSetCookie()[0]?.split(';')[0] ?? '');
  const sessions = t.database.unscoped.kysely.selectFrom('sessions').select('hash').where('token_uuid', '=', uuid);
  expect(await sessions.execute()).toHaveLength(20);
  for (const service of services) {
    const answers = await Promise.all(cookies.map((cookie) => call(service, '/session', { cookie })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  }
});

/** What a newer version may add without older ones knowing it. */
const addColumns: Migration = async ({ schema }) => {
  for (const table of ['workspaces', 'tokens', 'contacts', 'changes']) {
    await schema
      .alterTable(table)
      .addColumn('new', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  }
};

test('a process goes on while a newer version changes the schema, and its own version starts no more', async () => {
  await using place = await createTestStorage();
  const old = await startService(place.url);
  const database = await openDatabase(place.url);
  const workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, Date.now());
  const { token } = await createToken(workspace, database, { name: 'support', role: 'admin' }, Date.now());
  await database.write(workspace, (scope) =>
    putContacts(scope, [{ attributes: { email: 'c0@example.com' } }], Date.now()),
  );
  const path = '/v1/contacts/c0@example.com';
  const changeAndRead = async (first_name: string) => {
    const changed = await call(old, path, { token, json: { attributes: { first_name } } });
    const reads = await Promise.all(['', '/events', '/changes'].map((more) => call(old, `${path}${more}`, { token })));
    expect([changed, ...reads].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await reads[0]?.json()).toMatchObject({ data: { attributes: { first_name } } });
  };
  // Often enough that statements are prepared.
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G']) await changeAndRead(name);
  expect(await listWorkspaces(database)).toHaveLength(1);
  const newer = await openDatabase(place.url, { steps: [...migrations, addColumns] });
  await changeAndRead('Jane');
  expect(await listWorkspaces(database)).toHaveLength(1);
  await expect(startService(place.url)).rejects.toThrow('A newer version of Sendroom wrote this database');
  await Promise.all([old.kill(), database.close(), newer.close()]);
});

/** From an address without failures so far. */
const failToSignIn = (service: StartedService) =>
  call(service, '/session', { json: { token: 'wrong' }, address: '192.0.2.7' });

test('a token, and failed sign-ins from one address, get as much of two processes as of one; both refuse what is more', async () => {
  const settings = { RATE_LIMIT: '40', TRUST_PROXY: '127.0.0.1' };
  const two = await Promise.all([startService(t.url, settings), startService(t.url, settings)]);
  const { token } = await newToken();
  const list = (service: StartedService) => call(service, '/v1/domains', { token });
  for (const [send, limit] of [[list, 40] as const, [failToSignIn, 60] as const]) {
    const sent = two.map((service) => Promise.all(Array.from({ length: limit + 10 }, () => send(service))));
    const answers = await Promise.all(sent);
    expect(answers.flat().filter(({ status }) => status !== 429)).toHaveLength(limit);
    for (const ofOne of answers) {
      const refused = ofOne.filter(({ status }) => status === 429);
      expect(refused).not.toEqual([]);
      for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  }
  await Promise.all(two.map((service) => service.kill()));
});

test('while the server is gone requests are refused and say so, and once it is back they are served', async () => {
  await using door = await startTestProxy(t.url);
  const service = await startService(door.url);
  const { token } = await newToken();
  const get = () => call(service, '/v1/contacts', { token });
  expect((await get()).status).toBe(200);

  await door.disconnect();
  const refused = await get();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await refused.json()).toMatchObject({
    detail: 'The database does not answer. Nothing was changed; try again.',
  });
  expect((await fetch(`${service.address}/readyz`)).status).toBe(503);
  expect((await fetch(`${service.address}/healthz`)).status).toBe(200);

  await door.reconnect();
  expect((await get()).status).toBe(200);
  expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
  await service.kill();
});
