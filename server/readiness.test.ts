import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needNamespace } from '../lab/namespace.ts';

// The service on a small disk of its own, which gets full while it runs. To mount one takes a namespace, as the network of
// the lab does.

const SOON = { timeout: 20_000, interval: 100 };
/** Milliseconds. It is five seconds on a machine that has time for it. */
const NOTICED_WITHIN = 10_000;

/** Mounts the disk and runs the service on it; does what it is told, a line each. */
const SCRIPT = `set -e
mount -t tmpfs -o size=64m,mode=700 tmpfs "$1"
cd "$1"
"$2" "$3" --without-console &
service=$!
while read -r command; do eval "$command"; done
kill $service
wait $service`;

let folder: string;
let shell: ChildProcess;
let said = '';
let url: string;
let token: string;

beforeAll(async () => {
  needNamespace();
  folder = mkdtempSync(join(tmpdir(), 'sendroom-readiness-'));
  const rights = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const program = [process.execPath, join(import.meta.dirname, 'main.ts')];
  shell = spawn('unshare', [...rights, '--mount', 'sh', '-c', SCRIPT, 'sh', folder, ...program], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PORT: '0', DATABASE_URL: `file:${folder}/sendroom.db`, DNS_RECHECK: 'off' },
  });
  shell.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
});
afterAll(async () => {
  shell.stdin?.end();
  if (shell.exitCode === null) await once(shell, 'close');
  rmSync(folder, { recursive: true, force: true });
});

const call = (path: string, init: RequestInit = {}) =>
  fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.body && { 'content-type': 'application/json' }) },
  });
/** Other values each turn, of more than a page. */
const large = (turn: number) =>
  Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field_${index}`, String(turn).repeat(600)]));

const readiness = async () => (await call('/readyz')).status;

test('a full disk: not ready soon, reads go on, changes are refused, and all is well when there is room', async () => {
  await expect.poll(() => said, SOON).toMatch(/^Sendroom runs at/m);
  url = /^Sendroom runs at (\S+)$/m.exec(said)?.[1] ?? '';
  token = /access token +(\S+)$/m.exec(said)?.[1] ?? '';
  const list = await call('/v1/contacts');
  const { data } = (await list.json()) as { data: { uuid: string }[] };
  const change = async (attributes: object) => {
    const answer = await call(`/v1/contacts/${data[0]?.uuid}`, {
      method: 'POST',
      body: JSON.stringify({ attributes }),
    });
    return answer.status;
  };
  expect([await readiness(), await change({ company: 'before' })]).toEqual([200, 200]);

  shell.stdin?.write('dd if=/dev/zero of=filling bs=4k 2>dd.log || true\n');
  const start = performance.now();
  await expect.poll(readiness, SOON).toBe(503);
  expect(performance.now() - start).toBeLessThan(NOTICED_WITHIN);
  expect(await (await call('/readyz')).json()).toMatchObject({
    status: 503,
    detail: 'The service cannot read its data, or not write to it.',
  });
  expect((await call('/healthz')).status).toBe(200);
  expect((await call('/v1/contacts')).status).toBe(200);
  // The write-ahead log has room that it took before; only then it has to grow.
  let turn = 100;
  while ((await change(large(turn))) === 200 && turn < 999) turn++;
  expect(await change(large(turn))).toBe(503);

  shell.stdin?.write('rm filling\n');
  await expect.poll(readiness, SOON).toBe(200);
  expect(await change(large(turn))).toBe(200);
});
