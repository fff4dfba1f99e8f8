import { expect, test, vi } from 'vitest';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { type Compared, compareAll } from '../testing/simulation/compare.ts';
import { figuresOf } from '../testing/simulation/figures.ts';
import { runScript } from '../testing/simulation/run.ts';
import { writeScript } from '../testing/simulation/script.ts';
import { compareTable } from '../testing/simulation/table.ts';
import { ENGINE, NOW, openTestDatabase } from '../testing/testDatabase.ts';
import { startTestReceiver } from '../testing/testReceiver.ts';

// Scripted DNS on a clock of the test: what three processes store and tell is what a model says that reads all looks at once.

const { SIMULATED_DOMAINS = '10', SIMULATED_DAYS = '24', SIMULATED_SEED = '4' } = process.env;
const SIZE = { domains: Number(SIMULATED_DOMAINS), days: Number(SIMULATED_DAYS), seed: Number(SIMULATED_SEED) };
const TABLES = 20;
const MINUTE = 60_000;
vi.setConfig({ testTimeout: 2 * MINUTE + SIZE.domains * SIZE.days * 1000 });

const differing = (compared: readonly Compared[]) =>
  compared.flatMap(({ what, actual, expected }) => {
    if (JSON.stringify(actual) === JSON.stringify(expected)) return [];
    const [stored, wanted] = [new Set(actual), new Set(expected)];
    const surplus = actual.filter((line, index) => !wanted.has(line) || line === actual[index - 1]);
    return { what, surplus, missing: expected.filter((line) => !stored.has(line)) };
  });

test('history, table, incidents and messages are what a naive model says', async () => {
  await using t = await openTestDatabase();
  await using receiver = await startTestReceiver();
  const { db, workspace } = t;
  const others = ENGINE === 'sqlite' ? [] : [await openDatabase(t.url), await openDatabase(t.url)];
  const start = performance.now();
  const tables: Compared[] = [];
  const every = Math.ceil(SIZE.days / TABLES);
  let day = 0;
  const place = { databases: [db, ...others], workspace, receiver, start: NOW };
  const world = await runScript(writeScript(SIZE), place, async (now) => {
    if (++day % every === 0) tables.push(...(await compareTable(now)));
  });
  const compared = [...tables, ...(await compareAll(world))];
  const figures = await figuresOf(world, compared);
  const minutes = Math.round((performance.now() - start) / 6000) / 10;
  process.stdout.write(`${JSON.stringify({ ...SIZE, ...figures, minutes })}\n`);
  expect(differing(compared)).toEqual([]);
  expect(await verifyWorkspace(workspace, db)).toEqual([]);
  // Otherwise it would mean little.
  const { kills, unstable, toOperator, joined, acceptances, rotations } = figures;
  for (const count of [kills, unstable, toOperator, joined, acceptances, rotations]) expect(count).toBeGreaterThan(0);
  for (const one of others) await one.close();
});
