import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../database/openDatabase.ts';
import { freePorts } from '../../testing/programs/freePorts.ts';
import { killServices, signInByLink, signInLink, startMain, type TestMain } from '../testing/processes/testMain.ts';
import { VERSION } from '../settings/program.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

// The processes that `npm start` and `npm run dev` run, without the built console, which the browser tests use.

let folder: string;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-main-'));
  url = `file:${join(folder, 'data', 'sendroom.db')}`;
});
afterEach(() => killServices());
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (env: Readonly<Record<string, string | undefined>>, options: string[] = [], program?: string) =>
  startMain({ DATABASE_URL: url, DEMO: 'off', ...env }, options, program);

function logOf({ stderr }: TestMain): { level: string; msg: string }[] {
  return stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; msg: string });
}

async function begin(address: string) {
  const { port } = new URL(address);
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  const closed = once(socket, 'close').then(() => answer);
  socket.write(
    'POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\n' +
      'Content-Length: 12\r\nExpect: 100-continue\r\n\r\n',
  );
  await expect.poll(() => answer).toContain('100 Continue');
  return { finish: () => socket.write('{"code":"x"}'), closed, destroy: () => socket.destroy() };
}

function converse(port: number, ahead: number) {
  const socket = connect(port, '127.0.0.1');
  const requests = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(ahead);
  let answers = 0;
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.split('"status":"ok"').length <= ahead || !text.endsWith('}')) return;
    answers += ahead;
    if (/\r\nconnection: close\r\n/i.test(text)) return;
    text = '';
    socket.write(requests);
  });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  socket.on('error', ({ message }) => resolve(`${message} after ${text}`));
  socket.on('close', () => resolve(text));
  socket.write(requests);
  return { answers: () => answers, ended };
}

async function takesConnections(address: string): Promise<boolean> {
  return fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  );
}

test('the log is on standard error only, and DATABASE_URL may come from a file', async () => {
  const file = join(folder, 'database-url');
  await writeFile(file, `${url}\n`);
  const service = start({ DATABASE_URL: '', DATABASE_URL_FILE: file });
  const health = (await (await fetch(`${await service.address}/healthz`)).json()) as unknown;
  expect(health).toEqual({ status: 'ok', version: VERSION });
  expect(await service.stop()).toBe(0);
  expect(service.stdout()).not.toContain('{');
  expect(logOf(service)[0]).toMatchObject({ msg: 'starting', version: VERSION });
  await access(join(folder, 'data', 'sendroom.db'));
});

test('a second service on the same data is refused, and the first continues', async () => {
  const first = start({});
  const address = await first.address;
  const second = start({});
  expect(await second.ended).toBe(1);
  expect(second.stdout()).toMatch(
    /^Another Sendroom service is running on .*: stop it, or set DATABASE_URL to another file\.\n$/,
  );
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect(await first.stop()).toBe(0);
});

test.each([
  [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, not "http"\.\n$/],
  [{ DATABASE_URL: 'file:/dev/null/x.db' }, /^The database \/dev\/null\/x\.db cannot be opened: .*\.\n$/],
  [{ HOST: '192.0.2.1' }, /^HOST is not an address of this machine\.\n$/m],
])('%o is one sentence and exit code 1, and the log has it', async (env, sentence) => {
  const service = start(env);
  expect(await service.ended).toBe(1);
  expect(service.stdout()).toMatch(sentence);
  expect(logOf(service).at(-1)).toMatchObject({ level: 'fatal', msg: expect.stringMatching(/^.+\.$/) as string });
  expect(service.stdout()).toContain(`${logOf(service).at(-1)?.msg}\n`);
});

describe('a signal to stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s lets a running request finish, and exits with 0', async (signal) => {
    const service = start({});
    const address = await service.address;
    const request = await begin(address);
    service.child.kill(signal);
    await expect.poll(() => takesConnections(address)).toBe(false);
    request.finish();
    expect(await request.closed).toContain('HTTP/1.1 401 Unauthorized');
    expect(await service.ended).toBe(0);
    const ms = expect.any(Number) as number;
    expect(logOf(service).at(-1)).toMatchObject({ level: 'info', msg: 'stopped', signal, requests: 1, ms });
  });

  test('does not wait for idle connections or incomplete requests', async () => {
    const service = start({});
    const address = await service.address;
    const begun = ['', 'GET /healthz HTTP/1.1\r\n'].map((text) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {});
      socket.write(text);
      return once(socket, 'connect');
    });
    await Promise.all(begun);
    await (await fetch(`${address}/healthz`)).text();
    expect(await service.stop()).toBe(0);
  });

  test('resets nothing under load: responses are complete, and the last one closes', async () => {
    const service = start({});
    const address = await service.address;
    const clients = Array.from({ length: 20 }, (_, index) => converse(Number(new URL(address).port), (index % 3) + 1));
    await expect.poll(() => Math.min(...clients.map(({ answers }) => answers()))).toBeGreaterThan(20);
    service.child.kill('SIGTERM');
    for (const { ended } of clients) expect(await ended).toMatch(/\r\nconnection: close\r\n/i);
    expect(await service.ended).toBe(0);
  });

  test('a second signal exits at once with 1', async () => {
    const service = start({});
    const request = await begin(await service.address);
    let code: number | string | null = null;
    void service.ended.then((ended) => (code = ended));
    // The first is the signal, those within half a second are its echo, a later one is the second signal.
    await expect.poll(() => (service.child.kill('SIGTERM'), code)).toBe(1);
    request.destroy();
  });
});

test.each([
  ['throw new Error("planned")', 'an error nobody caught'],
  ['void Promise.reject(new Error("planned"))', 'a promise nobody watched'],
])('%s (%s) is logged and ends the process with 1', async (code) => {
  const script = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} })`)}`;
  const service = start({}, ['--import', script]);
  await service.address;
  service.child.kill('SIGUSR2');
  expect(await service.ended).toBe(1);
  expect(logOf(service).at(-1)).toMatchObject({ level: 'fatal', msg: 'uncaught error' });
  expect(service.stderr()).toMatch(/"level":"fatal".*planned/);
  expect(service.stdout()).toMatch(/^Sendroom stopped because of an internal error\. See its log\.$/m);
});

test('a Node warning is a log line', async () => {
  const script = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => process.emitWarning('planned'))`)}`;
  const service = start({}, ['--import', script]);
  await service.address;
  service.child.kill('SIGUSR2');
  await expect.poll(() => service.stderr()).toContain('planned');
  expect(logOf(service).at(-1)).toMatchObject({ level: 'warn', warning: 'Warning', msg: 'planned' });
  expect(await service.stop()).toBe(0);
});

/** A demo that is there already, and has no data: to write those takes longer than all else of a start. */
async function makeSmallDemo(): Promise<void> {
  await rm(join(folder, 'data'), { recursive: true, force: true });
  const database = await openDatabase(url);
  const now = Date.now();
  const workspace = await createWorkspace(database, { name: 'Acme Mail (demo)', identity_field: null }, now);
  await createToken(workspace, database, { name: 'demo', role: 'admin' }, now);
  await database.close();
}

test('npm run dev serves console sources and service at one address, and stops both', async () => {
  await makeSmallDemo();
  const [port = 0] = await freePorts(1);
  const dev = start({ PORT: String(port), DEMO: 'on' }, [], join(import.meta.dirname, '../dev.ts'));
  const address = await dev.address;
  expect(new URL(address).port).not.toBe(String(port));
  await expect.poll(() => signInLink(dev.stdout())?.address).toBe(address);
  expect((await signInByLink(address, signInLink(dev.stdout())?.code)).status).toBe(200);
  expect(await (await fetch(`${address}/domains`, { headers: { accept: 'text/html' } })).text()).toContain(
    '/src/main.tsx',
  );
  expect((await fetch(`${address}/v1/domains`)).status).toBe(401);
  // Where people sign in with an account, which this service has no provider of.
  expect((await fetch(`${address}/session/account?return=/`)).status).toBe(404);

  expect(await dev.stop()).toBe(0);
  expect(await takesConnections(address)).toBe(false);
  expect(await takesConnections(`http://127.0.0.1:${port}`)).toBe(false);
});
