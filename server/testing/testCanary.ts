import { expect } from 'vitest';
import type { Measured } from './testScrape.ts';
import { exchange } from './rawHttp.ts';

/** Letters and digits, so that it looks the same however it is encoded. */
export const canary = (about: string) =>
  `${about}${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;

/** Opens no session and is of no use to anybody else. */
export const LOOKED_FOR = canary('searched');
export const UNKNOWN_TOKEN = `sr_${canary('unknown')}`;
export const UNKNOWN_COOKIE = canary('cookie');
/** Of the person. They are in the data, and nowhere else. */
export const IDENTITY = canary('identity');
export const BODY = canary('body');

/** Calls that go well and calls that do not, with what is secret in every place that a call has. */
export async function callAllTheWays(target: Measured, token: string, cookie: string, contact: string): Promise<void> {
  const paths = [
    `/v1/contacts/${IDENTITY}%40example.com/events?search=${LOOKED_FOR}`,
    `/v1/contacts/${IDENTITY}%40example.com`,
    `/v1/contacts/${IDENTITY}%zz`,
    `/v1/contacts/${IDENTITY.repeat(500)}`,
    `/v1/contacts?search=${LOOKED_FOR}&page=0`,
    `/v1/contacts?search=${LOOKED_FOR}`,
    `/v1/domains?search=${LOOKED_FOR}&sorting[]=${LOOKED_FOR}`,
    `/v1/domains/${contact}/check`,
    `/${IDENTITY}`,
    '/session',
    '/openapi.json',
  ];
  const bodies = [
    { attributes: { job_title: BODY } },
    { attributes: { email: BODY } },
    { attributes: [BODY] },
    { [BODY]: BODY },
    { token: UNKNOWN_TOKEN, code: UNKNOWN_TOKEN },
  ].map((body) => JSON.stringify(body));
  bodies.push(`{"${BODY}`);
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
      const all = { ...sent, [LOOKED_FOR]: LOOKED_FOR, referer: `http://x/${LOOKED_FOR}`, 'user-agent': LOOKED_FOR };
      const json = { ...all, 'content-type': 'application/json' };
      for (const path of paths) {
        await send(path, { headers: all });
        for (const body of bodies) await send(path, { method: 'POST', headers: json, body });
        await send(path, { method: 'PUT', headers: { ...all, 'content-type': BODY }, body: BODY });
      }
      await send(paths[0] ?? '', { method: 'POST', headers: json, body: BODY.repeat(20_000) });
    }),
  );
  const { port } = new URL(target.url);
  await exchange(Number(port), `GET /${IDENTITY} ${LOOKED_FOR}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await exchange(
    Number(port),
    `GET /v1/domains HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
}

/** Fails when one of `secrets` is in one of `places`, and says the number of the one and the name of the other. */
export function expectNothingOf(secrets: readonly string[], places: Readonly<Record<string, string>>): void {
  const found = Object.entries(places).flatMap(([name, text]) =>
    secrets.flatMap((secret, index) => (text.includes(secret) ? `secret ${index} is in ${name}` : [])),
  );
  expect(found).toEqual([]);
  for (const text of Object.values(places)) expect(text).not.toBe('');
}
