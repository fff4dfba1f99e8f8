import { expect } from 'vitest';
import type { MeasuredService } from './testMetrics.ts';
import { sendRaw } from './rawHttp.ts';

/** Only letters and digits, so that it is the same in every encoding. */
const createCanary = (about: string) =>
  `${about}${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;

/** Valid in form, without a session. */
export const SEARCH_CANARY = createCanary('searched');
export const UNKNOWN_TOKEN = `sr_${createCanary('unknown')}`;
export const UNKNOWN_COOKIE = createCanary('cookie');
/** Personal data, which may only be in the database. */
export const IDENTITY_CANARY = createCanary('identity');
export const BODY_CANARY = createCanary('body');

/** Successful and failing calls, with a secret in every part of a call. */
export async function sendCanaryRequests(
  target: MeasuredService,
  token: string,
  cookie: string,
  contact: string,
): Promise<void> {
  const paths = [
    `/v1/contacts/${IDENTITY_CANARY}%40example.com/events?search=${SEARCH_CANARY}`,
    `/v1/contacts/${IDENTITY_CANARY}%40example.com`,
    `/v1/contacts/${IDENTITY_CANARY}%zz`,
    `/v1/contacts/${IDENTITY_CANARY.repeat(500)}`,
    `/v1/contacts?search=${SEARCH_CANARY}&page=0`,
    `/v1/contacts?search=${SEARCH_CANARY}`,
    `/v1/domains?search=${SEARCH_CANARY}&sorting[]=${SEARCH_CANARY}`,
    `/v1/domains/${contact}/check`,
    `/${IDENTITY_CANARY}`,
    '/session',
    '/openapi.json',
  ];
  const bodies = [
    { attributes: { job_title: BODY_CANARY } },
    { attributes: { email: BODY_CANARY } },
    { attributes: [BODY_CANARY] },
    { [BODY_CANARY]: BODY_CANARY },
    { token: UNKNOWN_TOKEN, code: UNKNOWN_TOKEN },
  ].map((body) => JSON.stringify(body));
  bodies.push(`{"${BODY_CANARY}`);
  const headers: Record<string, string>[] = [
    { authorization: `Bearer ${token}` },
    { authorization: `Bearer ${UNKNOWN_TOKEN}` },
    { authorization: `Basic ${UNKNOWN_TOKEN}` },
    { cookie, 'sendroom-console': '1' },
    { cookie: `sendroom=${UNKNOWN_COOKIE}`, 'sendroom-console': '1' },
    { cookie },
  ];
  const send = (path: string, init: RequestInit) =>
    fetch(target.url + path, init).then(
      (answer) => answer.text(),
      () => 'broken off',
    );
  await Promise.all(
    headers.map(async (sent) => {
      const all = {
        ...sent,
        [SEARCH_CANARY]: SEARCH_CANARY,
        referer: `http://x/${SEARCH_CANARY}`,
        'user-agent': SEARCH_CANARY,
      };
      const json = { ...all, 'content-type': 'application/json' };
      for (const path of paths) {
        await send(path, { headers: all });
        for (const body of bodies) await send(path, { method: 'POST', headers: json, body });
        await send(path, { method: 'PUT', headers: { ...all, 'content-type': BODY_CANARY }, body: BODY_CANARY });
      }
      await send(paths[0] ?? '', { method: 'POST', headers: json, body: BODY_CANARY.repeat(20_000) });
    }),
  );
  const { port } = new URL(target.url);
  await sendRaw(Number(port), `GET /${IDENTITY_CANARY} ${SEARCH_CANARY}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await sendRaw(
    Number(port),
    `GET /v1/domains HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
}

/** Fails if one of `secrets` is in one of `places`. Names the index of the secret and the place. */
export function expectNoSecretsIn(secrets: readonly string[], places: Readonly<Record<string, string>>): void {
  const found = Object.entries(places).flatMap(([name, text]) =>
    secrets.flatMap((secret, index) => (text.includes(secret) ? `secret ${index} is in ${name}` : [])),
  );
  expect(found).toEqual([]);
  for (const text of Object.values(places)) expect(text).not.toBe('');
}
