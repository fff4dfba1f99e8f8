import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { killServices, signInByLink, signInLink, startMain } from './testMain.ts';

// The processes themselves, as `npm start` and `npm run dev` run them, but for the built console, which the browser
// tests open.

// Starting a process takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const SOON = { timeout: 20_000 };

let folder: string;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-main-'));
  url = `file:${join(folder, 'data', 'sendroom.db')}`;
});
afterEach(() => killServices());
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (env: Readonly<Record<string, string | undefined>>, options: string[] = [], script?: string) =>
  startMain({ DATABASE_URL: url, DEMO: 'off', ...env }, options, script);

/** Sends the head of a request whose body is still to come, and waits until the service has it. */
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
  await expect.poll(() => answer, SOON).toContain('100 Continue');
  return { finish: () => socket.write('{"code":"x"}'), closed, destroy: () => socket.destroy() };
}

async function takesConnections(address: string): Promise<boolean> {
  return fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  );
}

test('what is said to people is on standard output and what is logged on standard error', async () => {
  const service = start({});
  await fetch(`${await service.address}/v1/domains`);
  expect(await service.stop()).toBe(0);
  const lines = service
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string });
  expect(lines.map(({ msg }) => msg)).toContain('answered');
  expect(service.stdout()).not.toContain('{');
});

test('a second service on the same data is refused, and the first goes on', async () => {
  const first = start({});
  const address = await first.address;
  const second = start({});
  expect(await second.ended).toBe(1);
  expect(second.stderr()).toMatch(
    /^Another Sendroom service is running on .*: stop it, or set DATABASE_URL to another file\.\n$/,
  );
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect(await first.stop()).toBe(0);
});

test.each([
  [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, not "http"\.\n$/],
  [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be like file:data\/sendroom\.db or postgres:.*\.\n$/],
  [{ DATABASE_URL: 'file:/dev/null/x.db' }, /^The database \/dev\/null\/x\.db cannot be opened: .*\.\n$/],
  [{ HOST: '192.0.2.1' }, /^HOST is not an address of this machine\.\n$/m],
])('%o is one sentence and exit code 1', async (env, sentence) => {
  const service = start({ LOG_LEVEL: 'silent', ...env });
  expect(await service.ended).toBe(1);
  expect(service.stderr()).toMatch(sentence);
});

test('a port that is taken is one sentence and exit code 1', async () => {
  const first = start({});
  const port = new URL(await first.address).port;
  const second = start({
    PORT: port,
    DATABASE_URL: `file:${join(folder, 'other.db')}`,
    LOG_LEVEL: 'silent',
  });
  expect(await second.ended).toBe(1);
  expect(second.stderr()).toBe(`Something else listens on 127.0.0.1:${port} already: set PORT to another number.\n`);
  expect(await first.stop()).toBe(0);
});

describe('a signal to stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s lets a request under way finish, and ends with 0', async (signal) => {
    const service = start({});
    const address = await service.address;
    const request = await begin(address);
    service.child.kill(signal);
    await expect.poll(() => takesConnections(address), SOON).toBe(false);
    request.finish();
    expect(await request.closed).toContain('HTTP/1.1 401 Unauthorized');
    expect(await service.ended).toBe(0);
  });

  test('does not wait for connections that are merely open', async () => {
    const service = start({});
    const address = await service.address;
    await (await fetch(`${address}/healthz`)).text();
    const idle = connect(Number(new URL(address).port), '127.0.0.1');
    await once(idle, 'connect');
    expect(await service.stop()).toBe(0);
    idle.destroy();
  });

  test('the second ends it at once, with 1', async () => {
    const service = start({});
    const request = await begin(await service.address);
    let code: number | string | null = null;
    void service.ended.then((ended) => (code = ended));
    // The first of these is the signal, those within half a second count as its echo, a later one is the second.
    await expect.poll(() => (service.child.kill('SIGTERM'), code), SOON).toBe(1);
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
  expect(service.stderr()).toMatch(/"level":"fatal".*planned/);
});

test('npm run dev serves the sources of the console and the service under one address, and stops both', async () => {
  const port = await freePort();
  const dev = start({ PORT: String(port), DEMO: 'on' }, [], 'dev.ts');
  const address = await dev.address;
  expect(new URL(address).port).not.toBe(String(port));
  await expect.poll(() => signInLink(dev.stdout())?.address, SOON).toBe(address);
  expect((await signInByLink(address, signInLink(dev.stdout())?.code)).status).toBe(200);
  expect(await (await fetch(`${address}/domains`, { headers: { accept: 'text/html' } })).text()).toContain(
    '/src/main.tsx',
  );
  expect((await fetch(`${address}/v1/domains`)).status).toBe(401);

  expect(await dev.stop()).toBe(0);
  expect(await takesConnections(address)).toBe(false);
  expect(await takesConnections(`http://127.0.0.1:${port}`)).toBe(false);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
