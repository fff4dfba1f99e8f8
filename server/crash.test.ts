import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { checkChanges } from './contacts/checkChanges.ts';
import { openDatabase } from './database/database.ts';
import { makeTestPlace, type TestPlace } from './database/testDatabase.ts';
import { killServices, startService } from './testMain.ts';
import { makeWriters } from './testWriters.ts';

// The service is killed while it changes contacts, started again on the same data, and asked: a change that was
// answered is there with its row in the log, and of one that was not, both are there or neither is.

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 5);
vi.setConfig({ testTimeout: 60_000 + ROUNDS * 10_000 });

let place: TestPlace;
beforeAll(async () => {
  place = await makeTestPlace({ isDurable: true });
});
afterEach(killServices);
afterAll(() => place[Symbol.asyncDispose]());

test(`in ${ROUNDS} kills no change is without its record, and no record without its change`, async ({ task }) => {
  const { url } = place;
  const { writers, workspace } = await makeWriters(url, 4);
  let service = await startService(url);
  let answered = 0;
  let unanswered = 0;

  for (let round = 0; round < ROUNDS; round++) {
    writers.start([service.address]);
    await writers.more(4 + ((round * 7) % 23));
    await service.kill();
    await writers.stop();

    service = await startService(url);
    const { faults, found, more } = await writers.compare(service.address);
    expect(faults).toEqual([]);
    answered += found;
    unanswered += more;
    const database = await openDatabase(url);
    expect(await checkChanges(workspace, database)).toEqual([]);
    await database.close();
  }
  await service.kill();
  expect(answered).toBe(writers.acknowledged);
  expect(answered).toBeGreaterThanOrEqual(ROUNDS * 4);
  // `npm run drill` shows it.
  Object.assign(task.meta, {
    measured: `${ROUNDS} kills, ${answered} changes answered, 0 lost, ${unanswered} written without an answer`,
  });
});
