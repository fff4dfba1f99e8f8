import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestStorage, type TestStorage } from '../testing/testDatabase.ts';
import { killServices, signInByLink, signInLink, startMain } from '../testing/processes/testMain.ts';

let place: TestStorage;
beforeAll(async () => {
  place = await createTestStorage();
});
afterEach(() => killServices());
afterAll(() => place[Symbol.asyncDispose]());

const start = (env: Readonly<Record<string, string | undefined>>) => startMain({ DATABASE_URL: place.url, ...env });

test('with DEMO=off the database stays empty, and the output says what to do', async () => {
  const service = start({ DEMO: 'off' });
  await service.address;
  expect(await service.stop()).toBe(0);
  expect(service.stdout()).toMatch(/^The database is empty: npm run admin -- workspace create --name NAME$/m);
});

test('a start that fails on its port creates no demo, so the next one shows the token', async () => {
  await using taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const failing = start({ PORT: `${(taken.address() as AddressInfo).port}` });
  expect(await failing.ended).toBe(1);
  expect(failing.stdout()).toMatch(/^Something else listens on \S+ already: set PORT to another number\.\n$/);
});

test('the first start shows the workspace, its token, and a link that signs in', async () => {
  const service = start({});
  const address = await service.address;
  await expect.poll(() => signInLink(service.stdout())?.address).toBe(address);
  const workspace = /workspace ID {2}([0-9a-f-]{36})$/m.exec(service.stdout())?.[1];
  const token = /access token {2}(sr_\S+)$/m.exec(service.stdout())?.[1];

  const response = await signInByLink(address, signInLink(service.stdout())?.code);
  expect(await response.json()).toMatchObject({ data: { workspace_uuid: workspace } });
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${address}/v1/workspace`, { headers })).status).toBe(200);
  expect(service.stderr()).not.toContain(token);

  const resolver = /--resolver (\S+)$/m.exec(service.stdout())?.[1] ?? '';
  const command = join(import.meta.dirname, '../dnsCheck.ts');
  const checked = spawn(process.execPath, [command, '--base-url', address, '--resolver', resolver], {
    env: { SENDROOM_TOKEN: token, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
  expect(await text(checked.stdout)).toMatch(/\n\d\d\d ok, /);
  expect(await service.stop()).toBe(0);
});

test('the next start shows a new link and no token', async () => {
  const service = start({});
  const address = await service.address;
  await expect.poll(() => signInLink(service.stdout())?.address).toBe(address);
  expect(service.stdout()).not.toContain('sr_');
  const code = signInLink(service.stdout())?.code;
  expect((await signInByLink(address, code)).status).toBe(200);
  expect((await signInByLink(address, code)).status).toBe(401);
  expect(await service.stop()).toBe(0);
});

test('with DEMO=off, or when others can reach it, there is no sign-in link', async () => {
  for (const env of [{ DEMO: 'off' }, { HOST: '0.0.0.0' }]) {
    const service = start(env);
    await service.address;
    expect(await service.stop()).toBe(0);
    expect(service.stdout()).not.toContain('#code');
  }
});
