import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EventOutcome } from '#contract/ingest.ts';
import type { Page } from '#contract/list.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { ALL } from '../../testing/testList.ts';
import { listContactEvents } from './events.ts';
import { recordEvent, recordEvents } from './ingest.ts';
import { putContacts } from '../store.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

async function newContact(email: string): Promise<string> {
  await t.db.write(t.workspace, (scope) => putContacts(scope, [{ attributes: { email } }], NOW));
  return email;
}

async function eventsOf(email: string, search = ''): Promise<Page<{ uuid: string }>> {
  const text = await listContactEvents(t.workspace, t.db, email, { ...ALL, search });
  return JSON.parse(text ?? '') as Page<{ uuid: string }>;
}

test('events that come one by one and many at once are counted by name', async () => {
  const email = await newContact('many@example.com');
  const many = Array.from({ length: 998 }, (_, index) => {
    return { contact: email, event_name: `name ${index % 3}`, created_at: new Date(1e12 + index * 1e6).toISOString() };
  });
  const writes = vi.spyOn(t.db, 'write');
  await recordEvents(t.workspace, t.db, many, CALLER, NOW);
  // Others come between.
  expect(writes.mock.calls.length).toBeGreaterThan(1);
  for (const event_name of ['name 1', 'another', 'name 2', 'another']) {
    const event = { uuid: randomUUID(), event_name };
    expect(await recordEvent(t.workspace, t.db, email.toUpperCase(), event, CALLER, NOW)).toBe(true);
  }
  expect((await eventsOf(email, 'another')).meta.total).toBe(2);
  expect((await eventsOf(email)).meta.total).toBe(1002);
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
});

test('whatever is sent again or twice, each event is there once, with every counter', async () => {
  const email = await newContact('twice@example.com');
  const pool = Array.from({ length: 30 }, (_, index) => {
    return { contact: email, uuid: randomUUID(), event_name: `name ${index % 3}` };
  });
  const sent = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pool), { maxLength: 20 }), async (events) => {
      const outcomes: EventOutcome[] = await recordEvents(t.workspace, t.db, events, CALLER, NOW);
      for (const [at, { uuid }] of events.entries()) {
        expect(outcomes[at]?.outcome).toBe(sent.has(uuid) ? 'unchanged' : 'recorded');
        sent.add(uuid);
      }
    }),
    { numRuns: 25 },
  );
  expect(new Set((await eventsOf(email)).data.map(({ uuid }) => uuid))).toEqual(sent);
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
});
