import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Change } from '#contract/change.ts';
import { RUN_HEADER } from '#contract/openapi/endpoint.ts';
import type { Page } from '#contract/list.ts';
import type { BulkRun } from '#contract/runs/runs.ts';
import { SUPPRESSION_REASONS } from '#contract/suppressions/suppression.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { createTestStorage, type TestStorage } from '../testing/testDatabase.ts';
import { killServices, startService } from '../testing/processes/testMain.ts';
import { callAt } from '../testing/testService.ts';
import { createWriters } from '../testing/testWriters.ts';

// After a kill, a confirmed change has its log line; an unconfirmed one has both or neither.

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 5);
vi.setConfig({ testTimeout: 60_000 + ROUNDS * 10_000 });

let place: TestStorage;
beforeAll(async () => {
  place = await createTestStorage({ isDurable: true });
});
afterEach(killServices);
afterAll(() => place[Symbol.asyncDispose]());

test(`in ${ROUNDS} kills every change has its record and every record its change`, async ({ task }) => {
  const { url } = place;
  const { writers, workspace } = await createWriters(url, 4);
  let service = await startService(url);
  let answered = 0;
  let unanswered = 0;

  for (let round = 0; round < ROUNDS; round++) {
    writers.start([service.address]);
    await writers.waitForWrites(4 + ((round * 7) % 23));
    await service.kill();
    await writers.stop();

    service = await startService(url);
    const { faults, found, more } = await writers.compare(service.address);
    expect(faults).toEqual([]);
    answered += found;
    unanswered += more;
    const database = await openDatabase(url);
    expect(await verifyWorkspace(workspace, database)).toEqual([]);
    await database.close();
  }
  await service.kill();
  expect(answered).toBe(writers.acknowledged);
  expect(answered).toBeGreaterThanOrEqual(ROUNDS * 4);
  // `npm run drill` reports it.
  Object.assign(task.meta, {
    measured: `${ROUNDS} kills, ${answered} changes answered, 0 lost, ${unanswered} written without an answer`,
  });
});

test('a retried unsubscribe happens once and for good, through every kill', async ({ task }) => {
  const { url } = place;
  const { writers, workspace } = await createWriters(url, ROUNDS);
  let service = await startService(url);
  let broken = 0;

  async function unsubscribe(email: string): Promise<void> {
    for (;;) {
      try {
        const path = `/v1/workspaces/${workspace.uuid}/contacts/${email}/unsubscribe`;
        const response = await callAt(service.address, path, { method: 'POST', token: writers.token });
        expect(await response.json()).toMatchObject({ data: { subscribed: false } });
        return;
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        broken++;
        await delay(20);
      }
    }
  }

  for (let round = 0; round < ROUNDS; round++) {
    const email = `c${round}@example.com`;
    const asked = [email, email, email].map(unsubscribe);
    await delay(round % 5);
    await service.kill();
    service = await startService(url);
    await Promise.all(asked);
    await unsubscribe(email);
    const response = await callAt(service.address, `/v1/contacts/${email}/changes`, { token: writers.token });
    expect(((await response.json()) as Page<Change>).data.map(({ action }) => action)).toEqual(['unsubscribe']);
  }
  await service.kill();
  expect(broken).toBeGreaterThan(0);
  Object.assign(task.meta, {
    measured: `${ROUNDS} kills, ${broken} requests repeated, each contact unsubscribed once`,
  });
});

test('events of a retried batch exist once each, through every kill', async () => {
  const { url } = place;
  const { writers, workspace } = await createWriters(url, ROUNDS);
  const sent = new Set<string>();
  let service = await startService(url);
  for (let round = 0; round < ROUNDS; round++) {
    const email = `c${round}@example.com`;
    const json = Array.from({ length: 250 }, () => ({ contact: email, uuid: randomUUID(), event_name: 'Opened' }));
    for (const { uuid } of json) sent.add(uuid);
    const post = () => callAt(service.address, '/v1/events', { method: 'POST', token: writers.token, json });
    const broken = Promise.allSettled([post(), post()]);
    await delay((round * 7) % 60);
    await service.kill();
    await broken;
    service = await startService(url);
    expect((await post()).status).toBe(200);
  }
  await service.kill();
  const database = await openDatabase(url);
  const events = database.unscoped.kysely.selectFrom('events').where('workspace_id', '=', workspace.id).select('uuid');
  expect(new Set((await events.execute()).map(({ uuid }) => uuid))).toEqual(sent);
  expect(await events.execute()).toHaveLength(sent.size);
  expect(await verifyWorkspace(workspace, database)).toEqual([]);
  await database.close();
});

test('a run that two continue and undo, and its reasons, are counted exactly through every kill', async ({ task }) => {
  const { url } = place;
  const emails = Array.from({ length: ROUNDS * 8 }, (_, index) => `c${index}@example.com`);
  const { writers, workspace } = await createWriters(url, emails.length);
  let service = await startService(url);
  const run = randomUUID();
  let broken = 0;

  async function post(path: string, json: unknown): Promise<void> {
    for (;;) {
      try {
        const options = { method: 'POST', token: writers.token, json, headers: { [RUN_HEADER]: run } };
        const { status } = await callAt(service.address, `/v1/${path}`, options);
        // 503: the last writer still holds the database.
        if (status !== 503) return expect(status).toBe(200);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      broken++;
      await delay(20);
    }
  }
  async function throughKills(work: Promise<unknown>): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      if ((await Promise.race([work, delay(10 + ((round * 13) % 40), 'goes on')])) !== 'goes on') break;
      await service.kill();
      service = await startService(url);
    }
    await work;
  }
  async function keep(): Promise<void> {
    await post('runs', { uuid: run, entries: emails.length + 1, reason: 'list', ticket: 'T-1' });
    const entries = [...emails, 'nobody@example.com'].map((email) => [email]);
    for (let from = 0; from < entries.length; from += 5) {
      await post(`runs/${run}/entries`, { from, entries: entries.slice(from, from + 5) });
    }
  }
  const reasonOf = (email: string) => SUPPRESSION_REASONS[emails.indexOf(email) % SUPPRESSION_REASONS.length];
  async function unsubscribe(each: readonly string[]): Promise<void> {
    for (const email of each) await post(`contacts/${email}/unsubscribe`, { reason: reasonOf(email) });
  }
  const isComplaint = (email: string) => reasonOf(email) === 'complaint';
  const undone = emails.filter((email, index) => index % 2 === 0 && !isComplaint(email));
  async function undo(each: readonly string[]): Promise<void> {
    for (const email of each) await post(`contacts/${email}/subscribe`, { reason: 'Undo' });
  }

  await throughKills(Promise.all([keep(), keep()]));
  await throughKills(Promise.all([unsubscribe(emails), unsubscribe(emails.toReversed())]));
  const get = async <Body>(path: string) =>
    (await (await callAt(service.address, `/v1/${path}`, { token: writers.token })).json()) as Body;
  const counts = { contacts: emails.length, missing: 1, unsubscribed: emails.length, already: 0, left: 0 };
  expect((await get<Page<BulkRun>>(`runs?run=${run}`)).data).toMatchObject([{ state: 'finished', ...counts }]);

  await throughKills(Promise.all([undo(undone), undo(undone.toReversed())]));
  const after = { state: 'undone', resubscribed: undone.length };
  expect((await get<Page<BulkRun>>(`runs?run=${run}`)).data).toMatchObject([after]);
  for (const reason of SUPPRESSION_REASONS) {
    const left = emails.filter((email) => reasonOf(email) === reason && !undone.includes(email));
    expect((await get<Page<unknown>>(`suppressions?reason=${reason}`)).meta.total).toBe(left.length);
  }
  for (const email of emails) {
    const actions = (await get<Page<Change>>(`contacts/${email}/changes`)).data.map(({ action }) => action);
    expect(actions).toEqual(undone.includes(email) ? ['subscribe', 'unsubscribe'] : ['unsubscribe']);
  }
  await service.kill();
  const database = await openDatabase(url);
  expect(await verifyWorkspace(workspace, database)).toEqual([]);
  await database.close();
  expect(broken).toBeGreaterThan(0);
  Object.assign(task.meta, { measured: `${broken} requests repeated, ${emails.length} contacts, each counted once` });
});
