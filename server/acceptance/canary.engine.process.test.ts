import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../.ci/programs/postgres.ts';
import { putContacts } from '../contacts/store.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { ENGINE, createFileStorage } from '../testing/testDatabase.ts';
import { putDomains } from '../domains/putDomains.ts';
import { startMeasuredService } from '../testing/testMetrics.ts';
import { createSignInCode } from '../sessions/store.ts';
import {
  BODY_CANARY,
  sendCanaryRequests,
  expectNoSecretsIn,
  IDENTITY_CANARY,
  SEARCH_CANARY,
  UNKNOWN_COOKIE,
  UNKNOWN_TOKEN,
} from '../testing/testCanary.ts';
import { killServices } from '../testing/testMain.ts';
import { createToken, createWorkspace, findPrincipal } from '../workspaces/store.ts';

// Sends secrets and personal data, and searches everywhere that they could be written: the output of the process, its
// most verbose log, its metrics, and every file of the database, with the write-ahead log as it is when the process is
// killed.

/** Storage whose files can all be read. */
type DatabaseFiles = AsyncDisposable & { url: string; filesOf: (database: Database) => Promise<Map<string, Buffer>> };

let place: DatabaseFiles;

beforeAll(async () => {
  place = ENGINE === 'sqlite' ? await makeSqlitePlace() : await makePostgresPlace();
});
afterAll(async () => {
  killServices();
  await place[Symbol.asyncDispose]();
});

async function makeSqlitePlace(): Promise<DatabaseFiles> {
  const { url, folder, [Symbol.asyncDispose]: remove } = await createFileStorage();
  return { url, filesOf: () => filesIn(folder), [Symbol.asyncDispose]: remove };
}

/** A server of its own, because its files contain all its databases. */
async function makePostgresPlace(): Promise<DatabaseFiles> {
  const server: PostgresServer = await startPostgres();
  return {
    url: server.url,
    filesOf: async () => {
      const client = new Client({ connectionString: server.superuserUrl });
      await client.connect();
      const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
      await client.end();
      return filesIn(rows[0]?.folder ?? '');
    },
    [Symbol.asyncDispose]: server.stop,
  };
}

async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)));
}

test('what is secret is written nowhere, and what is personal only where the data is', async () => {
  const database = await openDatabase(place.url);
  const now = Date.now();
  const workspace = await createWorkspace(database, { name: 'Acme', identity_field: 'customer_id' }, now);
  const { token } = await createToken(workspace, database, { name: 'support', role: 'admin' }, now);
  const access = (await findPrincipal(database, token, now)) as NonNullable<Awaited<ReturnType<typeof findPrincipal>>>;
  const code = await createSignInCode(database, access, now);
  await database.write(workspace, async (scope) => {
    await putContacts(scope, [{ attributes: { email: `${IDENTITY_CANARY}@example.com` } }], now);
    await putDomains(scope, [{ name: 'example.com', status: 'pending' }], now);
  });
  await database.close();

  const service = await startMeasuredService({ DATABASE_URL: place.url, LOG_LEVEL: 'trace' });
  const signIn = async (credentials: object) => {
    const answer = await fetch(`${service.url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sendroom-console': '1' },
      body: JSON.stringify(credentials),
    });
    expect(answer.status).toBe(200);
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  const cookies = [await signIn({ token }), await signIn({ code })];
  await sendCanaryRequests(service, token, cookies[0] ?? '', IDENTITY_CANARY);
  // From here on every request about a contact fails, and its error is logged.
  const beside = await openDatabase(place.url);
  await beside.unscoped.write((trx) => trx.schema.alterTable('identities').renameTo('gone').execute());
  const failed = await fetch(
    `${service.url}/v1/contacts/${IDENTITY_CANARY}%40example.com/events?search=${SEARCH_CANARY}`,
    {
      headers: { authorization: `Bearer ${token}` },
    },
  );
  expect(failed.status).toBe(500);
  const metrics = await service.text();
  service.child.kill('SIGKILL');
  await service.ended;

  const secrets = [token, code, ...cookies.map((cookie) => cookie.split('=')[1] ?? ''), UNKNOWN_TOKEN, UNKNOWN_COOKIE];
  expect(secrets.every((secret) => secret.length > 20)).toBe(true);
  const log = service.stderr();
  expectNoSecretsIn([...secrets, SEARCH_CANARY, IDENTITY_CANARY, BODY_CANARY], {
    log,
    metrics,
    output: service.stdout(),
  });
  const lines = log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { msg: string; level: string });
  expect(new Set(lines.map(({ msg }) => msg))).toEqual(
    new Set([...lines.map(({ msg }) => msg), 'answered', 'request not readable', 'request failed']),
  );

  const files = await place.filesOf(beside);
  const found = (text: string) => [...files].filter(([, content]) => content.includes(text)).map(([path]) => path);
  expect(secrets.flatMap(found)).toEqual([]);
  expect(found(SEARCH_CANARY)).toEqual([]);
  // The control: the search finds what is there: the contact, its change in the write-ahead log, and the hash of the
  // token.
  expect(found(`${IDENTITY_CANARY}@example.com`)).not.toEqual([]);
  expect(found(BODY_CANARY).filter((path) => /-wal$|pg_wal/.test(path))).not.toEqual([]);
  expect(found(hash('sha256', token))).not.toEqual([]);
  await beside.close();
});
