import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Change } from '#contract/change.ts';
import type { Page } from '#contract/list.ts';
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
