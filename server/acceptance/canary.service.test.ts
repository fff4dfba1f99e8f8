import { hash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createSignInCode } from '../sessions/store.ts';
import { createMigratedStorage } from '../testing/testDatabase.ts';
import { CONSOLE } from '../testing/testPeople.ts';
import { sendRaw } from '../testing/processes/rawHttp.ts';
import { startTestService } from '../testing/testService.ts';
import { createTwinTenants } from '../testing/testTenants.ts';
import { findPrincipal } from '../workspaces/store.ts';

// Secrets are searched for in the most verbose log, the metrics and every file of the database.

/** Only letters and digits, so that it is the same in every encoding. */
const canary = (about: string) =>
  `${about}${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;

const SEARCH = canary('searched');
const UNKNOWN_TOKEN = `sr_${canary('unknown')}`;
const UNKNOWN_COOKIE = canary('cookie');
const IDENTITY = canary('identity');
const BODY = canary('body');

const PATHS = [
  `/v1/contacts/${IDENTITY}%40example.com/events?search=${SEARCH}`,
  `/v1/contacts/${IDENTITY}%40example.com`,
  `/v1/contacts/${IDENTITY}%zz`,
  `/v1/contacts/${IDENTITY.repeat(500)}`,
  `/v1/contacts?search=${SEARCH}&page=0`,
  `/v1/domains?search=${SEARCH}&sorting[]=${SEARCH}`,
  `/${IDENTITY}`,
  '/session',
];
const BODIES = [
  `{"attributes":{"job_title":"${BODY}"}}`,
  `{"attributes":{"email":"${BODY}"}}`,
  `{"${BODY}":"${BODY}"}`,
  `{"token":"${UNKNOWN_TOKEN}","code":"${UNKNOWN_TOKEN}"}`,
  `{"code":"${UNKNOWN_TOKEN}"}`,
  `{"${BODY}`,
];

test('secrets are written nowhere, and personal data only to the database', async () => {
  const place = await createMigratedStorage();
  const metrics = createMetrics('1.2.3');
  await using service = await startTestService({ place, metrics, settings: { LOG_LEVEL: 'trace' } });
  const { database, clock } = service;
  const [{ token }] = await createTwinTenants(database, clock.now);
  const code = await createSignInCode(database, must(await findPrincipal(database, token, clock.now)), clock.now);
  const signIn = async (json: object) => {
    const response = await service.call('/session', { method: 'POST', json, headers: CONSOLE });
    expect(response.status).toBe(200);
    return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  const cookies = [await signIn({ token }), await signIn({ code })];
  const json = { attributes: { email: `${IDENTITY}@example.com` } };
  expect((await service.call('/v1/contacts', { method: 'POST', token, json })).status).toBe(200);

  const callers: Record<string, string>[] = [
    { authorization: `Bearer ${token}` },
    { authorization: `Bearer ${UNKNOWN_TOKEN}` },
    { authorization: `Basic ${UNKNOWN_TOKEN}` },
    { ...CONSOLE, cookie: `sendroom=${UNKNOWN_COOKIE}` },
    { cookie: cookies[0] ?? '' },
    { ...CONSOLE, cookie: cookies[0] ?? '' },
  ];
  for (const caller of callers) {
    const headers = { ...caller, [SEARCH]: SEARCH, referer: `http://x/${SEARCH}`, 'user-agent': SEARCH };
    const withBody = { ...headers, 'content-type': 'application/json' };
    for (const path of PATHS) {
      await (await service.call(path, { headers })).text();
      for (const body of BODIES) await (await service.call(path, { method: 'POST', headers: withBody, body })).text();
      await service.call(path, { method: 'PUT', headers: { ...headers, 'content-type': BODY }, body: BODY });
    }
  }
  await sendRaw(service.port, `GET /${IDENTITY} ${SEARCH}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  // From here on every request about a contact fails, and its error is logged.
  await database.unscoped.write((trx) => trx.schema.alterTable('identities').renameTo('gone').execute());
  const failed = await service.call(PATHS[0] ?? '', { token });
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toMatch(/no such table|sqlite|kysely|select|\.ts/i);

  const secrets = [token, code, ...cookies.map((cookie) => cookie.split('=')[1] ?? ''), UNKNOWN_TOKEN, UNKNOWN_COOKIE];
  expect(secrets.every((secret) => secret.length > 20)).toBe(true);
  const said = { log: service.log.join(''), metrics: await metrics.metrics() };
  const leaked = Object.entries(said).flatMap(([where, text]) =>
    [...secrets, SEARCH, IDENTITY, BODY].flatMap((secret) =>
      text.includes(secret) ? [`${secret} in the ${where}`] : [],
    ),
  );
  expect(leaked).toEqual([]);
  for (const message of ['answered', 'request not readable', 'request failed']) expect(said.log).toContain(message);

  const names = await Array.fromAsync(glob('*', { cwd: place.folder }));
  const files = await Promise.all(names.map((name) => readFile(join(place.folder, name))));
  const isInFiles = (text: string) => files.some((content) => content.includes(text));
  expect([...secrets, SEARCH].filter(isInFiles)).toEqual([]);
  // The search finds what is there: the contact, its change, and the hash of the token.
  for (const text of [`${IDENTITY}@example.com`, BODY, hash('sha256', token)]) expect(isInFiles(text)).toBe(true);
});
