import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { DatabaseSync } from 'node:sqlite';
import { must } from '#contract/must.ts';
import type { Scope } from '../scope.ts';

// Very many ids, each below 2 ** 32, in functions of a connection: a set in a temporary table of SQLite takes some five times as long.

/** What Node needs for the calls of a function is freed with each row of the statement, so now and then a call makes it give one. */
const CALLS_PER_ROW = 65_536;
const ID_BYTES = 4;
const CHUNK_BYTES = CALLS_PER_ROW * ID_BYTES;
const FIRST_SET_BYTES = 64 * 1024;

/** Reads all that `keys` gives as `found` into the set of `isCollected`, which stays until the next call or `readIds`. */
export async function collectIds(scope: Scope, keys: RawBuilder<unknown>): Promise<void> {
  await scope.run(sql`select begin_set()`);
  // The limit keeps it from adding a row before it has met all conditions.
  await scope.run(sql`select 1 from (${keys} limit -1) as keys where collect_id(found)`);
}

/** A condition: `column` has an id that was collected before in this transaction. */
export const isCollected = (column: string): RawBuilder<SqlBool> => sql`is_collected(${sql.ref(column)})`;

/** See `Engine`. */
export async function readIds(scope: Scope, keys: RawBuilder<unknown>): Promise<Uint8Array> {
  // A read that failed may have left some.
  await scope.run(sql`select begin_list()`);
  await scope.run(sql`select 1 from (${keys}) as keys where append_id(key)`);
  const rows = await scope.run(sql<{ ids: Uint8Array }>`select take_ids() as ids`);
  return must(rows[0]).ids;
}

/** Defines what the statements above call. */
export function defineIdFunctions(database: DatabaseSync): void {
  let set = new Uint8Array(0);
  let chunks: Buffer[] = [];
  /** Of the last chunk. */
  let end = CHUNK_BYTES;
  let calls = 0;
  const beginSet = () => {
    set = new Uint8Array(0);
    return null;
  };
  const beginList = () => {
    chunks = [];
    end = CHUNK_BYTES;
    return null;
  };
  const givesRow = () => (++calls % CALLS_PER_ROW === 0 ? 1 : 0);

  database.function('begin_set', beginSet);
  database.function('collect_id', (id) => {
    const [at, bit] = placeOf(id);
    if (at >= set.length) {
      const larger = new Uint8Array(Math.max(at + 1, set.length * 2, FIRST_SET_BYTES));
      larger.set(set);
      set = larger;
    }
    set[at] = (set[at] ?? 0) | bit;
    return givesRow();
  });
  database.function('is_collected', (id) => {
    const [at, bit] = placeOf(id);
    return (set[at] ?? 0) & bit;
  });
  database.function('begin_list', beginList);
  database.function('append_id', (id) => {
    if (end === CHUNK_BYTES) {
      chunks.push(Buffer.alloc(CHUNK_BYTES));
      end = 0;
    }
    end = must(chunks.at(-1)).writeUInt32BE(Number(id), end);
    return givesRow();
  });
  database.function('take_ids', () => {
    const last = chunks.pop()?.subarray(0, end);
    const ids = Buffer.concat(last === undefined ? [] : [...chunks, last]);
    beginSet();
    beginList();
    return ids;
  });
}

/** Byte and bit of an id in a set. */
function placeOf(id: unknown): [at: number, bit: number] {
  return [Number(id) >>> 3, 1 << (Number(id) & 7)];
}
