import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { ENGINE, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { engineOf } from './engine.ts';
import { collectIds, isCollected } from './sqlite/idFunctions.ts';

// Orders of very many contacts, which are read and kept as bytes.

/** The numbers from `first` to `last`, or each `step` of them, as `key` and as `found`. */
const numbers = (first: number, last: number, step = 1): RawBuilder<unknown> => sql`
  with recursive numbers (key) as (
    select cast(${sql.lit(first)} as bigint) union all
    select key + ${sql.lit(step)} from numbers where key + ${sql.lit(step)} <= ${sql.lit(last)}
  )
  select key, key as found from numbers`;
const range = (first: number, last: number, step = 1) =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);

function unpack(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4));
}

const readFrom = (t: TestDatabase) => (keys: RawBuilder<unknown>) =>
  t.db.read(t.workspace, async (scope) => unpack(await engineOf(scope.kysely).readIds(scope, keys)));

test('ids are read in their order, however many', async () => {
  await using t = await openTestDatabase();
  const read = readFrom(t);
  const down = sql`select key from (${numbers(1, 200_000)}) as numbers order by key desc limit 200000`;
  expect(await read(down)).toEqual(range(1, 200_000).toReversed());
  expect(await read(numbers(2 ** 32 - 3, 2 ** 32 - 1))).toEqual([2 ** 32 - 3, 2 ** 32 - 2, 2 ** 32 - 1]);
  expect(await read(numbers(1, 65_536))).toEqual(range(1, 65_536));
  expect(await read(sql`select key from (${numbers(1, 1)}) as numbers where key > 1`)).toEqual([]);
});

if (ENGINE === 'sqlite') {
  test('a read that fails leaves no ids to the next one', async () => {
    await using t = await openTestDatabase();
    const read = readFrom(t);
    await expect(read(numbers(2 ** 32 - 3, 2 ** 32))).rejects.toThrow('out of range');
    expect(await read(numbers(1, 3))).toEqual([1, 2, 3]);
  });

  test('a set has the ids that were collected last, and no other', async () => {
    await using t = await openTestDatabase();
    const found = await t.db.read(t.workspace, async (scope) => {
      const sets = [];
      for (const [first, last, step] of [
        [3, 600_000, 3],
        [7, 7],
        [500_000, 500_001],
      ] as const) {
        await collectIds(scope, numbers(1, 20));
        await collectIds(scope, numbers(first, last, step));
        const keys = sql`select key from (${numbers(0, 600_001)}) where ${isCollected('key')}`;
        sets.push(unpack(await engineOf(scope.kysely).readIds(scope, keys)));
      }
      return sets;
    });
    expect(found).toEqual([range(3, 600_000, 3), [7], [500_000, 500_001]]);
  });
}
