import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { openDatabase } from '../openDatabase.ts';

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-space-'));
  database = await openDatabase(`file:${join(folder, 'test.db')}`);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const write = (bytes: number) =>
  database.unscoped.write(async (trx) => {
    await sql`create table if not exists large (content blob)`.execute(trx);
    for (let left = bytes; left > 0; left -= 2 ** 20)
      await sql`insert into large values (zeroblob(${2 ** 20}))`.execute(trx);
  });

test('a write-ahead log that one large write has filled does not stay so large', async () => {
  await write(200 * 2 ** 20);
  const full = await database.space();
  expect(full?.wal).toBeGreaterThan(200 * 2 ** 20);
  // The first of them finds that the log is no longer needed, and restarts it.
  for (let turn = 0; turn < 3; turn++) await write(1);
  expect((await database.space())?.wal).toBeLessThanOrEqual(64 * 2 ** 20);
});
