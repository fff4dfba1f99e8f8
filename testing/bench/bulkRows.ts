import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../server/database/database.ts';
import type { Workspace } from '../../server/database/workspace.ts';

// Millions of rows that the engine makes by itself, the same on both engines: each follows from its number, by SQL that both have.

/** Rows of one statement, so that no transaction has more than some hundred megabytes. */
const ROWS_AT_ONCE = 500_000;

type Sql = RawBuilder<unknown>;

/** Runs `insert` with a query of the numbers (column `n`) of some rows at a time, from 0 to `count` - 1. */
export async function insertInRanges(
  db: Database,
  workspace: Workspace,
  count: number,
  insert: (numbers: Sql) => Sql,
): Promise<void> {
  for (let first = 0; first < count; first += ROWS_AT_ONCE) {
    const last = Math.min(first + ROWS_AT_ONCE, count) - 1;
    const numbers = sql`
      select cast(${sql.lit(first)} as bigint) as n union all select n + 1 from numbers where n < ${sql.lit(last)}`;
    await db.write(workspace, ({ kysely }) => insert(numbers).execute(kysely));
  }
}

/** The largest prime below 2^31: its square is an integer on both engines. */
const PRIME = 2 ** 31 - 1;
/** So many bits of a hash are used. */
const SYLLABLE_BITS = 4;
const SYLLABLES = 'ka mi ro ta le sonberva ni do ri an el martinos ';

/** A number from 0 to 2^31 that has nothing to do with `n`, another one for each `salt`. */
export function hashOf(salt: number): Sql {
  const spread = sql`((n * 48271 + ${sql.lit(salt * 7_654_321)}) % ${sql.lit(PRIME)})`;
  return sql`(${spread} * ${spread} % ${sql.lit(PRIME)})`;
}

/** A word of the syllables from number `first` to before `end` of the seven that the hash in `column` has. */
export function wordOf(column: string, first: number, end: number): Sql {
  const syllables = Array.from({ length: end - first }, (_, index) => {
    const place = sql`${sql.ref(column)} / ${sql.lit(2 ** (SYLLABLE_BITS * (first + index)))} % 16`;
    return sql`rtrim(substr(${sql.lit(SYLLABLES)}, cast(1 + 3 * (${place}) as integer), 3))`;
  });
  return sql`${sql.join(syllables, sql` || `)}`;
}

/** The digits stored with the phone number "+49 " and `n`: too few are no international number. */
export function phoneDigitsOf(n: Sql): Sql {
  return sql`case when ${n} > 999 then '+49' || ${n} end`;
}

/** A UUID for `n`, below a hundred million, in the order of the numbers, as those of an import are in the order of time. */
export function uuidOf(n: Sql, hash: Sql): Sql {
  return sql`substr(cast(100000000 + ${n} as text), 2) || '-0000-7000-8000-' || substr(cast(1000000000000 + ${hash} as text), 2)`;
}

/**
 * Runs `work` without the indexes of `tables` that are no keys, and without the foreign keys that PostgreSQL would look up for each row, and
 * creates them again: an index from sorted rows, where adding row by row would write a page of each index for each row.
 */
export async function withoutIndexes(
  db: Database,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const isFile = (await db.space()) !== null;
  const names = sql.join(tables.map((table) => sql.lit(table)));
  const { rows } = await db.unscoped.read((trx) =>
    (isFile ? selectFileIndexes(names) : selectServerIndexes(names)).execute(trx),
  );
  const runEach = async (statements: readonly string[]) => {
    for (const statement of statements) {
      await db.unscoped.write(async (trx) => {
        if (!isFile) await sql`set local maintenance_work_mem = '1GB'`.execute(trx);
        await sql.raw(statement).execute(trx);
      });
    }
  };
  await runEach(rows.map(({ removal }) => removal));
  await work();
  await runEach(rows.map(({ creation }) => creation));
}

/** SQL that removes an index or a foreign key, and that creates it again. */
type IndexStatements = { removal: string; creation: string };

const selectFileIndexes = (tables: Sql) => sql<IndexStatements>`
  select 'drop index "' || name || '"' as removal, sql as creation from sqlite_master
  where type = 'index' and tbl_name in (${tables}) and sql is not null`;

const selectServerIndexes = (tables: Sql) => sql<IndexStatements>`
  select format('drop index %I', indexname) as removal, indexdef as creation from pg_indexes
  where schemaname = current_schema() and tablename in (${tables})
    and not exists (select 1 from pg_constraint where conname = indexname)
  union all
  select format('alter table %I drop constraint %I', relname, conname),
    format('alter table %I add constraint %I %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
  from pg_constraint join pg_class on conrelid = pg_class.oid
  where relnamespace = current_schema()::regnamespace and contype = 'f' and relname in (${tables})`;
