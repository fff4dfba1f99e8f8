import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

const EMAIL = 'ann@x.test';
/** So many events, and characters in each, that neither end of a connection holds all of the file. */
const EVENTS = 500;
const NOTES = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`note${index}`, 'x'.repeat(8_000)]));

afterEach(() => {
  vi.useRealTimers();
});

/** A workspace of its own with a contact whose file is large. Gives a token. */
async function addCaller({ database, clock }: TestService): Promise<string> {
  const workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, clock.now);
  await database.write(workspace, async (scope) => {
    await putContacts(scope, [{ attributes: { email: EMAIL } }], clock.now);
    const events = Array.from({ length: EVENTS }, (_, index) => {
      return { contact: EMAIL, event_name: 'opened', attributes: NOTES, created_at: clock.now + index };
    });
    await putEvents(scope, events, clock.now);
  });
  return (await createToken(workspace, database, { name: 'boss', role: 'admin' }, clock.now)).token;
}

const downloadOf = (service: TestService) => (token: string) => service.call(`/v1/contacts/${EMAIL}/person`, { token });

test('nobody waits for a file of another workspace, however many are taken slowly', async () => {
  await using service = await startTestService();
  const download = downloadOf(service);
  // Nobody is too slow.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let index = 0; index < 4; index++) {
    const response = await download(await addCaller(service));
    expect(response.status).toBe(200);
  }
  const whole = (await (await download(await addCaller(service))).json()) as { events: unknown[] };
  expect(whole.events).toHaveLength(EVENTS);
});

test('who takes a file slowly loses the place of the workspace within seconds', async () => {
  await using service = await startTestService();
  const download = downloadOf(service);
  const token = await addCaller(service);
  const slow = (await download(token)).body?.getReader();
  await slow?.read();
  const whole = await download(token);
  expect(whole.status).toBe(200);
  expect(((await whole.json()) as { events: unknown[] }).events).toHaveLength(EVENTS);
  await expect(readAll(slow)).rejects.toThrow('terminated');
}, 20_000);

test('a file breaks off where its contact is erased meanwhile', async () => {
  await using service = await startTestService();
  const token = await addCaller(service);
  const file = (await downloadOf(service)(token)).body?.getReader();
  await file?.read();
  const path = `/v1/contacts/${EMAIL}/erasure`;
  expect((await service.call(path, { token, method: 'POST', json: { identity: EMAIL } })).status).toBe(200);
  await expect(readAll(file)).rejects.toThrow('terminated');
});

test('a file breaks off where the rights of its caller are taken away meanwhile', async () => {
  await using service = await startTestService();
  const { database, clock } = service;
  const token = await addCaller(service);
  const file = (await downloadOf(service)(token)).body?.getReader();
  await file?.read();
  await database.unscoped.write((trx) => trx.updateTable('tokens').set({ revoked_at: clock.now }).execute());
  await delay(200);
  await expect(readAll(file)).rejects.toThrow('terminated');
});

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  while ((await reader?.read())?.done === false);
}
