import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { EventOutcome } from '#contract/ingest.ts';
import { checkCounters } from '../contacts/checkCounters.ts';
import { openDatabase } from '../database/openDatabase.ts';
import type { Database } from '../database/database.ts';
import { createTestStorage, type TestStorage } from '../testing/testDatabase.ts';
import { killServices, startService } from '../testing/testMain.ts';
import { callAt } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

// Kills the service while programs create contacts and record events, and restarts it on the same data. What was answered is
// there, and whatever is sent again is there once.

const ROUNDS = Number(process.env.INGEST_ROUNDS ?? 5);
const PROGRAMS = 3;
/** More than one transaction. */
const BATCH = 250;
vi.setConfig({ testTimeout: 60_000 + ROUNDS * 10_000 });

let place: TestStorage;
beforeAll(async () => {
  place = await createTestStorage({ isDurable: true });
});
afterEach(killServices);
afterAll(() => place[Symbol.asyncDispose]());

type Batch = { email: string; uuids: string[]; isCreated: boolean; isRecorded: boolean };

/** Creates contacts and records a batch of events of each, one request at a time, until the service is gone. */
async function writeUntilGone(address: string, token: string, batches: Batch[], isOver: () => boolean): Promise<void> {
  const post = async (path: string, json: unknown) => {
    const response = await callAt(address, path, { method: 'POST', json, token });
    expect(response.status).toBe(200);
    return (await response.json()) as { data: EventOutcome[] };
  };
  try {
    while (!isOver()) {
      const uuids = Array.from({ length: BATCH }, () => randomUUID());
      const batch: Batch = { email: `${randomUUID()}@example.com`, uuids, isCreated: false, isRecorded: false };
      batches.push(batch);
      await send(batch, post);
    }
  } catch (error) {
    // The error of fetch for a broken connection.
    if (!(error instanceof TypeError)) throw error;
  }
}

async function send(
  batch: Batch,
  post: (path: string, json: unknown) => Promise<{ data: EventOutcome[] }>,
): Promise<void> {
  const { email, uuids } = batch;
  await post('/v1/contacts?upsert', { attributes: { email } });
  batch.isCreated = true;
  const { data } = await post(
    '/v1/events',
    uuids.map((uuid) => ({ contact: email, uuid, event_name: `name ${uuid.slice(0, 1)}` })),
  );
  expect(data.map(({ outcome }) => outcome)).not.toContain('refused');
  batch.isRecorded = true;
}

/** The UUIDs of events by the email of their contact; those without a contact are missing. */
async function readStored(db: Database, emails: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.unscoped.kysely
    .selectFrom('identities')
    .leftJoin('events', (join) =>
      join
        .onRef('events.workspace_id', '=', 'identities.workspace_id')
        .onRef('events.contact_id', '=', 'identities.contact_id'),
    )
    .select(['identities.key as email', 'events.uuid as uuid'])
    .where('identities.key', 'in', emails)
    .execute();
  const stored = new Map<string, string[]>();
  for (const { email, uuid } of rows) {
    const uuids = stored.getOrInsertComputed(email, () => []);
    if (uuid !== null) uuids.push(uuid);
  }
  return stored;
}

async function findLost(db: Database, batches: readonly Batch[]): Promise<string[]> {
  const stored = await readStored(
    db,
    batches.map(({ email }) => email),
  );
  return batches.flatMap(({ email, uuids, isCreated, isRecorded }) => {
    const there = stored.get(email);
    if (there === undefined) return isCreated ? [`${email} is lost`] : [];
    if (new Set(there).size !== there.length) return [`${email} has an event twice`];
    return isRecorded && uuids.some((uuid) => !there.includes(uuid)) ? [`an event of ${email} is lost`] : [];
  });
}

test(`in ${ROUNDS} kills nothing that was answered is lost, and nothing is there twice`, async ({ task }) => {
  const { url } = place;
  const prepared = await openDatabase(url);
  const workspace = await createWorkspace(prepared, { name: 'Acme', identity_field: null }, Date.now());
  const { token } = await createToken(workspace, prepared, { name: 'program', role: 'ingest' }, Date.now());
  await prepared.close();
  let recorded = 0;
  let unanswered = 0;

  for (let round = 0; round < ROUNDS; round++) {
    let service = await startService(url);
    const batches: Batch[] = [];
    let isOver = false;
    const programs = Array.from({ length: PROGRAMS }, () =>
      writeUntilGone(service.address, token, batches, () => isOver),
    );
    await delay(60 + ((round * 37) % 90));
    isOver = true;
    await service.kill();
    await Promise.all(programs);

    service = await startService(url);
    const database = await openDatabase(url);
    expect(await findLost(database, batches)).toEqual([]);
    // Whatever got no answer is sent again, as a program does.
    const open = batches.filter(({ isRecorded }) => !isRecorded);
    unanswered += open.length;
    for (const batch of open) {
      await send(batch, async (path, json) => {
        const response = await callAt(service.address, path, { method: 'POST', json, token });
        return (await response.json()) as { data: EventOutcome[] };
      });
    }
    expect(await findLost(database, batches)).toEqual([]);
    recorded += batches.length * BATCH;
    await service.kill();
    if (round % 100 === 99 || round === ROUNDS - 1) expect(await checkCounters(workspace, database)).toEqual([]);
    await database.close();
  }
  expect(recorded).toBeGreaterThanOrEqual(ROUNDS * BATCH);
  expect(unanswered).toBeGreaterThan(0);
  // `npm run drill` reports it.
  Object.assign(task.meta, {
    measured: `${ROUNDS} kills, ${recorded} events answered, 0 lost, 0 twice, ${unanswered} batches sent again`,
  });
});
