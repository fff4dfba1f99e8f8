import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { createSqliteKysely } from './sqliteKysely.ts';
import { SQLITE_DIALECT } from './sqliteConnections.ts';
import type { Tables } from '../tables.ts';
import { FIRST_TIME, LAST_TIME } from '../timestamp.ts';

/** What columns of JSON hold. */
const JSON_TYPES: Readonly<Record<string, string>> = {
  'contacts.attributes': 'object',
  'events.attributes': 'object',
  'contact_changes.changes': 'array',
};

/**
 * In one sentence each: what a file of SQLite has that a Sendroom with the schema `version` does not make, what it lacks, and
 * what it holds that none writes. Nothing of the file is run, a trigger of somebody else neither.
 */
export async function findFileErrors(kysely: Kysely<Tables>, version = migrations.length): Promise<string[]> {
  const faults = await findSchemaErrors(kysely, version);
  // Columns can be looked at when they are there.
  return faults.length > 0 ? faults : findValueErrors(kysely);
}

async function findSchemaErrors(kysely: Kysely<Tables>, version: number): Promise<string[]> {
  const memory = new DatabaseSync(':memory:');
  try {
    const fresh = createSqliteKysely(memory);
    await migrate({ write: (work) => work(fresh) }, SQLITE_DIALECT, migrations.slice(0, version));
    const expected = await readSchema(fresh);
    const found = await readSchema(kysely);
    return [
      ...[...found].flatMap(([name, statement]) => {
        if (!expected.has(name)) return [`The ${name} is none of Sendroom.`];
        return expected.get(name) === statement ? [] : [`The ${name} is another than that of Sendroom.`];
      }),
      ...[...expected.keys()].flatMap((name) => (found.has(name) ? [] : [`The ${name} is missing.`])),
    ];
  } finally {
    memory.close();
  }
}

/** The statements that made what a file has, by kind and name; without statistics, which `analyze` leaves. */
async function readSchema(kysely: Kysely<Tables>): Promise<Map<string, string>> {
  const { rows } = await sql<{ type: string; name: string; statement: string | null }>`
    select type, name, sql as statement from sqlite_schema where name not like 'sqlite_stat%' order by type, name`.execute(
    kysely,
  );
  // However they are spaced and quoted, which no version promises.
  return new Map(
    rows.map(({ type, name, statement }) => [
      `${type} ${name}`,
      (statement ?? '').replaceAll(/[\s"]+/g, '').toLowerCase(),
    ]),
  );
}

type Column = { table: string; column: string; type: string; required: number };

async function findValueErrors(kysely: Kysely<Tables>): Promise<string[]> {
  const { rows: columns } = await sql<Column>`
    select made.name as "table", info.name as "column", lower(info.type) as type, info."notnull" or info.pk > 0 as required
    from sqlite_schema as made, pragma_table_xinfo(made.name) as info
    where made.type = 'table' and made.name not like 'sqlite_%'`.execute(kysely);
  const faults: string[] = [];
  for (const [table, group] of Map.groupBy(columns, (column) => column.table)) {
    const counts = group.map((column) => sql`total(${isForeign(column)}) as ${sql.ref(column.column)}`);
    const { rows } = await sql<Record<string, number>>`
      select ${sql.join(counts)} from ${sql.table(table)}`.execute(kysely);
    for (const [column, count] of Object.entries(rows[0] ?? {})) {
      if (count > 0)
        faults.push(`The column ${column} of ${table} holds what Sendroom never writes, in rows: ${count}.`);
    }
  }
  return faults;
}

/** Whether a row holds in this column what is never written: SQLite takes anything. */
function isForeign({ table, column, type, required }: Column): RawBuilder<unknown> {
  const value = sql.ref(column);
  const kinds = [type === 'text' ? 'text' : 'integer', ...(required ? [] : ['null'])];
  const isOther = sql`typeof(${value}) not in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`;
  if (column.endsWith('_at')) {
    return sql`(${isOther} or ifnull(${value} not between ${sql.lit(FIRST_TIME)} and ${sql.lit(LAST_TIME)}, 0))`;
  }
  const json = JSON_TYPES[`${table}.${column}`];
  if (json === undefined) return isOther;
  return sql`(${isOther} or case when json_valid(${value}) then json_type(${value}) end is not ${sql.lit(json)})`;
}
