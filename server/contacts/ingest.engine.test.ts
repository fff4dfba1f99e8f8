import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventOutcome } from '#contract/ingest.ts';
import type { Page } from '#contract/list.ts';
import { SPLIT_THRESHOLD } from '../database/eventPeriods.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { checkCounters } from './checkCounters.ts';
import { EventTakenError, IdentityTakenError } from './contactErrors.ts';
import { listContactEvents } from './events.ts';
import { recordEvent, recordEvents } from './ingest.ts';
import { createContact, findContact } from './store.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

let made = 0;
const newEmail = () => `person${made++}@example.com`;
const create = (contact: object, merges = false) =>
  createContact(t.workspace, t.db, { attributes: {}, ...contact }, merges, CALLER, NOW);
const record = (contact: string, event: object) =>
  recordEvent(t.workspace, t.db, contact, { event_name: 'e', ...event }, NOW);

async function eventsOf(email: string, search = ''): Promise<Page<{ uuid: string }>> {
  const text = await listContactEvents(t.workspace, t.db, email, { ...ALL, search });
  return JSON.parse(text ?? '') as Page<{ uuid: string }>;
}

test('a contact is created once, unless it may be merged, and never takes the identity of another', async () => {
  const [email, other] = [newEmail(), newEmail()];
  const { uuid } = await create({ attributes: { email, customer_id: 'C-7' } });
  await expect(create({ attributes: { email: email.toUpperCase() } })).rejects.toThrow(IdentityTakenError);
  expect(await create({ attributes: { email }, subscribed: false }, true)).toEqual({ uuid, created: false });
  // Nobody is subscribed again.
  await create({ attributes: { email }, subscribed: true }, true);
  expect(await findContact(t.workspace, t.db, email)).toMatchObject({ uuid, subscribed: false });
  await create({ attributes: { email: other } }, true);
  await expect(create({ attributes: { email: other, customer_id: 'C-7' } }, true)).rejects.toThrow(IdentityTakenError);
  expect(await findContact(t.workspace, t.db, other)).toMatchObject({ attributes: { email: other } });
});

test('one event counts once, however often it is sent, and belongs to one contact', async () => {
  const [email, other] = [newEmail(), newEmail()];
  for (const each of [email, other]) await create({ attributes: { email: each } });
  for (const event of [{ uuid: randomUUID() }, { created_at: '2026-01-31T09:30:00+01:00' }]) {
    expect(await record(email, event)).toBe(true);
    expect(await record(email, event)).toBe(false);
    if ('uuid' in event) await expect(record(other, event)).rejects.toThrow(EventTakenError);
  }
  expect(await record('nobody@example.com', {})).toBeNull();
  expect([(await eventsOf(email)).meta.total, (await eventsOf(other)).meta.total]).toEqual([2, 0]);
});

test('one event is in every counter, before and after the contact has so many that times are counted', async () => {
  const email = newEmail();
  await create({ attributes: { email } });
  const many = Array.from({ length: SPLIT_THRESHOLD - 2 }, (_, index) => {
    return { contact: email, event_name: `name ${index % 3}`, created_at: new Date(1e12 + index * 1e6).toISOString() };
  });
  await recordEvents(t.workspace, t.db, many, NOW);
  for (const event_name of ['name 1', 'another', 'name 2', 'another']) {
    expect(await record(email.toUpperCase(), { uuid: randomUUID(), event_name })).toBe(true);
  }
  expect((await eventsOf(email, 'another')).meta.total).toBe(2);
  expect((await eventsOf(email)).meta.total).toBe(SPLIT_THRESHOLD + 2);
  expect(await checkCounters(t.workspace, t.db)).toEqual([]);
});

test('whatever is sent again or twice, each event is there once, with every counter', async () => {
  const email = newEmail();
  await create({ attributes: { email } });
  const pool = Array.from({ length: 30 }, (_, index) => {
    return { contact: email, uuid: randomUUID(), event_name: `name ${index % 3}` };
  });
  const sent = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pool), { maxLength: 20 }), async (events) => {
      const outcomes: EventOutcome[] = await recordEvents(t.workspace, t.db, events, NOW);
      for (const [at, { uuid }] of events.entries()) {
        expect(outcomes[at]?.outcome).toBe(sent.has(uuid) ? 'unchanged' : 'recorded');
        sent.add(uuid);
      }
    }),
    { numRuns: 25 },
  );
  expect(new Set((await eventsOf(email)).data.map(({ uuid }) => uuid))).toEqual(sent);
  expect(await checkCounters(t.workspace, t.db)).toEqual([]);
});
