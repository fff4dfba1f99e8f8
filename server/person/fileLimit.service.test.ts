import { afterEach, expect, test, vi } from 'vitest';
import { putEvents } from '../contacts/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import { LEISURE_MAX } from '../database/leisureLimiter.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

const MINUTE = 60_000;
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

test('who takes longer than ten minutes over a file is cut off, so that others get theirs', async () => {
  await using service = await startTestService();
  const slow: string[] = [];
  for (let index = 0; index < LEISURE_MAX; index++) slow.push(await addCaller(service));
  const other = await addCaller(service);
  const download = (token: string) => service.call(`/v1/contacts/${EMAIL}/person`, { token });
  // For the limits of time alone: the connections go on as they do.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const begun = await Promise.all(slow.map(download));
  expect(begun.map(({ status }) => status)).toEqual([200, 200]);
  vi.advanceTimersByTime(10 * MINUTE);
  for (const response of begun) await expect(response.text()).rejects.toThrow('terminated');
  const whole = (await (await download(other)).json()) as { events: unknown[] };
  expect(whole.events).toHaveLength(EVENTS);
});

test('who takes a file slowly loses the place within seconds, and a third workspace gets its file', async () => {
  await using service = await startTestService();
  const slow = [await addCaller(service), await addCaller(service)];
  const other = await addCaller(service);
  const download = (token: string) => service.call(`/v1/contacts/${EMAIL}/person`, { token });
  const readers = await Promise.all(
    slow.map(async (token) => {
      const { body } = await download(token);
      const reader = body?.getReader();
      await reader?.read();
      return reader;
    }),
  );
  const whole = await download(other);
  expect(whole.status).toBe(200);
  expect(((await whole.json()) as { events: unknown[] }).events).toHaveLength(EVENTS);
  for (const reader of readers) await expect(readAll(reader)).rejects.toThrow('terminated');
}, 20_000);

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  while ((await reader?.read())?.done === false);
}
