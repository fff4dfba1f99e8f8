import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unpackPackages } from '../programs/debianPackages.ts';
import { startService } from '../../server/testing/processes/testMain.ts';
import { createWriters } from '../../server/testing/testWriters.ts';
import { type Drill, UnsupportedMachineError, type DrillResult } from './drill.ts';

const LIBRARY = 'libfaketimeMT.so.1';
const HOUR_S = 3600;
const LIMIT = 30;

export const clock: Drill = {
  name: 'clock',
  description: 'the clock of the machine jumps back and forward by an hour while the service runs',
  minutesMax: 5,
  run: jump,
};

async function* jump(folder: string): AsyncGenerator<DrillResult> {
  const library = obtainLibrary(folder);
  const offset = join(folder, 'offset');
  const setClock = (seconds: number) => writeFileSync(offset, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  setClock(0);
  const url = `file:${join(folder, 'data', 'clock.db')}`;
  const { writers } = await createWriters(url, 1);
  const service = await startService(url, {
    RATE_LIMIT: String(LIMIT),
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: offset,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  const call = (path: string, headers: Record<string, string>, json?: unknown) =>
    fetch(service.address + path, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', 'sendroom-console': '1', ...headers },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
  const bearer = { authorization: `Bearer ${writers.token}` };
  const signIn = async () => {
    const answer = await call('/session', {}, { token: writers.token });
    return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  };
  const update = async (first_name: string) => {
    const answer = await call('/v1/contacts/c0@example.com', bearer, { attributes: { first_name } });
    return ((await answer.json()) as { updated_at: string }).updated_at;
  };

  const dateOf = async () => Date.parse((await call('/healthz', {})).headers.get('date') ?? '');
  const cookie = await signIn();
  const updated = await update('A');
  setClock(-HOUR_S);
  // Node caches the Date header for a second.
  await delay(2000);
  // Otherwise the following checks would mean nothing.
  const shift = Math.round(((await dateOf()) - Date.now()) / 60_000);
  yield compared('the service takes the time that is set (minutes)', -HOUR_S / 60, shift);
  yield compared('an hour back: the session goes on', 200, (await call('/session', cookie)).status);
  yield compared('an hour back: a change is later than the one before', true, (await update('B')) > updated);
  setClock(0);
  while ((await call('/v1/domains', bearer)).status === 200);
  setClock(-HOUR_S);
  const refused = await call('/v1/domains', bearer);
  yield compared(
    'an hour back: who has reached a limit waits a minute at most',
    true,
    Number(refused.headers.get('retry-after')) <= 60,
  );
  const start = performance.now();
  while ((await call('/v1/domains', bearer)).status !== 200 && performance.now() - start < 90_000) await delay(1000);
  yield compared('and is served after that', true, performance.now() - start < 75_000);
  setClock(HOUR_S);
  yield compared('two hours forward: an idle session is over', 401, (await call('/session', cookie)).status);
  const later = await signIn();
  yield compared('a new one begins', 200, (await call('/session', later)).status);
  setClock(0);
  yield compared('an hour back: it goes on', 200, (await call('/session', later)).status);
  yield compared(
    'a request that is under way while the clock jumps is answered',
    '401',
    await sendSlowly(service.address, () => setClock(HOUR_S)),
  );
  yield compared('the service is ready', 200, (await call('/readyz', {})).status);
  await service.kill();
}

function compared(what: string, expected: string | number | boolean, measured: string | number | boolean): DrillResult {
  return { what, expected: String(expected), measured: String(measured), holds: expected === measured };
}

/** Sends a request in two parts with `between` in the middle, and returns the status of the answer. */
async function sendSlowly(address: string, between: () => void): Promise<string> {
  const { port } = new URL(address);
  const socket = connect(Number(port), '127.0.0.1');
  const body = '{"token":"x"}';
  socket.write(
    `POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await delay(500);
  between();
  await delay(3000);
  socket.end(body);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'none';
}

function obtainLibrary(folder: string): string {
  const unpacked = join(folder, 'libfaketime');
  try {
    unpackPackages({ name: 'libfaketime', packages: ['libfaketime'] }, unpacked);
  } catch (error) {
    throw new UnsupportedMachineError(
      `This needs libfaketime of Debian, which could not be fetched (${(error as Error).message}).`,
    );
  }
  const libraries = join(unpacked, 'usr/lib');
  const paths = readdirSync(libraries).map((name) => join(libraries, name, 'faketime', LIBRARY));
  const path = paths.find(existsSync);
  if (path === undefined) throw new Error(`The package libfaketime holds no ${LIBRARY}.`);
  return path;
}
