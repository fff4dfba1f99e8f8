import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Filters } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { listChanges } from '../auditLog/listChanges.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { listContactChanges } from '../contacts/changeLog.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts, subscribeContact, unsubscribeContact, updateContact } from '../contacts/store.ts';
import { SERVICE } from '../database/changeLog/author.ts';
import { readRetention } from '../database/changeLog/checkpoint.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { seededRandom } from '../demo/seededRandom.ts';
import { eraseContact } from '../privacy/erase.ts';
import { formatPersonPage } from '../privacy/formatPersonPage.ts';
import { readPerson } from '../privacy/readPerson.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { createHistory } from '../testing/testHistory.ts';
import { ALL } from '../testing/testList.ts';
import { createWorkspace } from '../workspaces/store.ts';
import { previewRetention } from './preview.ts';
import { deleteOldDataOnce } from './retentionJob.ts';
import { runRetention } from './run.ts';
import { DAY, setRetention } from './settings.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const by = { now: NOW, author: SERVICE };
const EVERYTHING = { ...ALL, per_page: 1000 };
const runAt = (workspace: Workspace, now: number) => runRetention(workspace, t.db, { now: () => now, author: SERVICE });
const linesOf = ({ id }: Workspace) =>
  t.db.unscoped.kysely.selectFrom('changes').selectAll().where('workspace_id', '=', id).orderBy('number').execute();
const contactsOf = (workspace: Workspace) =>
  t.db.read(workspace, (scope) => scope.select('contacts').selectAll().orderBy('id').execute());
const createAcme = () => createWorkspace(t.db, { name: 'Acme', identity_field: null }, NOW);

const event = (contact: string, at: number, name = 'opened') => ({
  contact,
  event_name: name,
  attributes: {},
  created_at: at,
});

/** The begin of a day (UTC), as an operator reads it. */
const dayOf = (time: number) => Date.parse(new Date(time).toISOString().slice(0, 10));

test('of random histories, what says why people get mail or none stays, lists have what is left, and all verifies', async () => {
  let deleted = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const random = seededRandom(seed);
    const workspace = await createHistory(t.db, seed, 40, DAY / 4);
    await setRetention(workspace, t.db, { log_days: 90 }, by);
    for (let day = 92; day <= 101; day += 3) {
      const now = NOW + day * DAY;
      const before = await linesOf(workspace);
      const preview = await previewRetention(workspace, t.db, {}, now);
      const run = await runAt(workspace, now);
      expect(run?.deleted_lines ?? 0).toBe(preview.lines);
      deleted += preview.lines;
      expect(await verifyWorkspace(workspace, t.db)).toEqual([]);

      const lines = await linesOf(workspace);
      const left = new Set(lines.map(({ number }) => number));
      // Nothing that is younger goes, and nothing changes.
      const gone = before.filter(({ number }) => !left.has(number));
      for (const { created_at } of gone) expect(created_at).toBeLessThan(dayOf(now - 90 * DAY));
      for (const line of before.filter(({ number }) => left.has(number))) expect(lines).toContainEqual(line);

      const listed = await listChanges(workspace, t.db, EVERYTHING);
      expect(listed.meta.total).toBe(lines.length);
      expect(listed.data.map(({ number }) => number)).toEqual([...left].toReversed());
      for (const contact of await contactsOf(workspace)) {
        const own = before.filter((line) => line.contact_uuid === contact.uuid && line.contact_number !== null);
        const proof = own.findLast(({ subscribed }) => subscribed === contact.subscribed);
        const isProved = contact.subscribed === 0 || proof?.action === 'subscribe';
        if (isProved && proof !== undefined) expect(left).toContain(proof.number);
        const changes = must(await listContactChanges(workspace, t.db, contact.uuid, EVERYTHING));
        const ownLeft = own.filter(({ number }) => left.has(number));
        expect(changes.meta.total).toBe(ownLeft.length);
        expect(changes.data.map(({ uuid }) => uuid)).toEqual(ownLeft.map(({ uuid }) => uuid).toReversed());
      }
      const email = `p${random.below(4)}@x.test`;
      const act = random.below(3);
      if (act === 0) await unsubscribeContact(workspace, t.db, email, CALLER, now);
      else if (act === 1) await subscribeContact(workspace, t.db, email, 'They asked', CALLER, now);
      else await updateContact(workspace, t.db, email, { note: `${day}` }, CALLER, now);
    }
  }
  expect(deleted).toBeGreaterThan(50);
}, 240_000);

test('pages of the log, in both directions and from a time, have what is left of it', async () => {
  const workspace = await createHistory(t.db, 3, 60, DAY);
  await setRetention(workspace, t.db, { log_days: 90 }, by);
  await runAt(workspace, NOW + 125 * DAY);
  const lines = await linesOf(workspace);
  const { number: checkpoint, kept } = await t.db.read(workspace, readRetention);
  expect(kept).toBeGreaterThan(0);
  for (const from of [undefined, must(lines[0]).created_at + 1, NOW + 34 * DAY, NOW + 50 * DAY]) {
    const expected = lines.filter(({ created_at }) => created_at >= (from ?? 0)).map(({ number }) => number);
    for (const desc of [true, false]) {
      const found: number[] = [];
      for (let page = 1; page === 1 || found.length === (page - 1) * 7; page++) {
        const sorting = [{ id: 'created_at', desc }];
        const filters: Filters = from === undefined ? {} : { from: timestamp(from) };
        const { data, meta } = await listChanges(workspace, t.db, { ...ALL, page, per_page: 7, sorting, filters });
        expect(meta.total).toBe(expected.length);
        found.push(...data.map(({ number }) => number));
      }
      expect(found, `${checkpoint} ${from}`).toEqual(desc ? expected.toReversed() : expected);
    }
  }
});

test('old events go contact by contact, more than one transaction takes, and their counts with them', async () => {
  const workspace = await createAcme();
  const emails = ['many@x.test', 'none@x.test', ...Array.from({ length: 30 }, (_, at) => `p${at}@x.test`)];
  const old = NOW - 800 * DAY;
  const events = [
    ...Array.from({ length: 2_500 }, (_, at) => event('many@x.test', old + at, at % 2 === 0 ? 'opened' : 'clicked')),
    event('many@x.test', NOW - DAY),
    ...emails.slice(2).flatMap((email) => [event(email, old, 'bounced'), event(email, NOW - 730 * DAY + DAY)]),
  ];
  await t.db.write(workspace, async (scope) => {
    await putContacts(
      scope,
      emails.map((email) => ({ attributes: { email } })),
      old,
    );
    await putEvents(scope, events, NOW);
  });
  expect(await runAt(workspace, NOW)).toBeNull();
  await setRetention(workspace, t.db, { event_days: 730 }, by);
  expect(await previewRetention(workspace, t.db, {}, NOW)).toMatchObject({ events: 2_530, lines: 0 });
  const run = await runAt(workspace, NOW);
  expect(run).toMatchObject({ deleted_events: 2_530, events_before: dayOf(NOW - 730 * DAY), run_line: null });
  const left = await t.db.read(workspace, (scope) =>
    scope.select('event_names').select(['event_name', 'count']).orderBy('contact_id').execute(),
  );
  expect(left).toEqual(Array.from({ length: 31 }, () => ({ event_name: 'opened', count: 1 })));
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
  const { data } = await listChanges(workspace, t.db, ALL);
  expect(data.slice(0, 3)).toMatchObject([
    { action: 'retention_end', details: { events: 2_530, entries: 0 } },
    { action: 'retention_start', details: { events_before: timestamp(dayOf(NOW - 730 * DAY)) } },
    { action: 'retention_change', details: { events: '730 days', log: 'kept' } },
  ]);
  expect(await runAt(workspace, NOW)).toBeNull();
});

test('the service begins a day after the setting, and goes on every day', async () => {
  const workspace = await createHistory(t.db, 4, 10, DAY);
  const set = NOW + 200 * DAY;
  await setRetention(workspace, t.db, { log_days: 90 }, { now: set, author: SERVICE });
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => expect(fields).toBeNull() };
  const job = (now: number) => deleteOldDataOnce({ database: t.db, now: () => now, log }, new AbortController().signal);
  const checkpoint = async () => (await t.db.read(workspace, readRetention)).number;
  await job(set + DAY - 1);
  expect(await checkpoint()).toBe(0);
  await job(set + DAY);
  const first = await checkpoint();
  expect(first).toBeGreaterThan(5);
  // The setting and the run are 90 days old after the 91st day.
  await job(set + 92 * DAY);
  expect(await checkpoint()).toBe(first + 3);
  await setRetention(workspace, t.db, { log_days: null }, { now: set + 93 * DAY, author: SERVICE });
  await job(set + 1000 * DAY);
  expect(await checkpoint()).toBe(first + 3);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});

test('of an erased person only what says so is left, and the erasure still verifies', async () => {
  const workspace = await createAcme();
  const put = (email: string) =>
    t.db.write(workspace, (scope) => putContacts(scope, [{ attributes: { email } }], NOW - 500 * DAY));
  for (const email of ['gone@x.test', 'stays@x.test']) {
    await put(email);
    await unsubscribeContact(workspace, t.db, email, CALLER, NOW - 400 * DAY);
  }
  const [gone, stays] = await contactsOf(workspace);
  await setRetention(workspace, t.db, { log_days: 365 }, by);
  await runAt(workspace, NOW);
  expect((await linesOf(workspace)).map(({ action }) => action).slice(0, 2)).toEqual(['unsubscribe', 'unsubscribe']);
  await eraseContact(workspace, t.db, 'gone@x.test', { identity: null, reference: 'T-1' }, SERVICE, NOW);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
  await runAt(workspace, NOW + 500 * DAY);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
  const lines = await linesOf(workspace);
  expect(lines.filter(({ contact_uuid }) => contact_uuid === must(gone).uuid)).toMatchObject([
    { action: 'person_erase' },
  ]);
  expect(lines.filter(({ contact_uuid }) => contact_uuid === must(stays).uuid)).toMatchObject([
    { action: 'unsubscribe' },
  ]);
});

test("a person's page says that older changes and events were deleted", async () => {
  const workspace = await createAcme();
  const email = 'ada@x.test';
  await t.db.write(workspace, (scope) => putContacts(scope, [{ attributes: { email } }], NOW - 500 * DAY));
  await updateContact(workspace, t.db, email, { note: 'old' }, CALLER, NOW - 500 * DAY);
  await updateContact(workspace, t.db, email, { note: 'new' }, CALLER, NOW);
  const [contact] = await contactsOf(workspace);
  const page = async () => {
    const person = must(await readPerson(workspace, t.db, must(contact).uuid, NOW));
    return (await Array.fromAsync(formatPersonPage(person))).join('');
  };
  expect(await page()).not.toContain('because of their age');
  expect(await page()).toContain('by whom (2)');
  await setRetention(workspace, t.db, { log_days: 365 }, by);
  await runAt(workspace, NOW);
  expect(await page()).toContain('Changes before 21 November 2025');
  expect(await page()).not.toContain('Events before');
  expect(await page()).toContain('by whom (1)');
});
