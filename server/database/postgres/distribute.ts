import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Transaction } from '../database.ts';
import { listTables } from '../schema/tableDescriptions.ts';

// Citus distributes tables over several machines (docs/decisions/0044-citus.md): each workspace's content is on one of them.

/** The tables that are distributed; each after those that its rows refer to. All others stay on the coordinator. */
export const DISTRIBUTED_TABLES: readonly string[] = [
  'workspace_heads',
  ...listTables(({ holds }) => holds === 'content').filter((table) => table !== 'workspace_heads'),
  'contact_search',
];
export const COORDINATOR_TABLES: readonly string[] = listTables(({ holds }) => holds !== 'content');

const SETTING = `current_setting('sendroom.workspace', true)`;
/**
 * The policies of one server have subqueries and comparisons with null, which Citus can't send to other machines. Of a comparison with
 * a number other than zero the planner expects that all rows fit: it would otherwise sort a list of two hundred times as many rows.
 */
const IS_WANTED = `cast(workspace_id::text = ${SETTING} or ${SETTING} = '*' as integer) <> 0`;

/**
 * A table of the coordinator without rows. Citus commits in two phases, so that all machines commit or none does, where a transaction
 * changes tables of several machines; but it doesn't see changes of our tables on the coordinator, only of this one.
 */
const TWO_PHASES_TABLE = 'two_phases';
/** Makes a transaction commit in two phases. */
export const USE_TWO_PHASES = `delete from ${TWO_PHASES_TABLE} where id = 0`;

/** The tables of this schema that Citus knows: by hash, or on the coordinator only. */
async function listKnown(trx: Transaction, method: 'h' | 'n'): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relnamespace = current_schema()::regnamespace and partmethod = ${method}`.execute(trx);
  return new Set(rows.map(({ name }) => name));
}

const listDistributed = (trx: Transaction) => listKnown(trx, 'h');

/**
 * The tables that a start has to distribute: all those of a database without workspaces, which is new, or those that a step of the schema
 * has added. Any other database stays on one server until `admin distribute`.
 */
export async function listMissing(trx: Transaction): Promise<string[]> {
  if ((await readDistribution(trx)) === 'begun') return [];
  const distributed = await listDistributed(trx);
  const missing = DISTRIBUTED_TABLES.filter((table) => !distributed.has(table));
  if (!(await listKnown(trx, 'n')).has(TWO_PHASES_TABLE)) missing.push(TWO_PHASES_TABLE);
  if (missing.length === 0 || distributed.size > 0) return missing;
  const { rows } = await sql<{ isNew: boolean }>`
    select to_regclass('workspace_heads') is not null and not exists (select from workspaces) as "isNew"`.execute(trx);
  return rows[0]?.isNew === true ? missing : [];
}

export async function distributeMissing(trx: Transaction): Promise<void> {
  const tables = await listMissing(trx);
  const keys = await setKeysAside(trx, tables);
  for (const table of tables) {
    await (table === TWO_PHASES_TABLE ? createTwoPhasesTable(trx) : distributeTable(trx, table));
  }
  await addKeys(trx, keys);
}

/** A foreign key between two distributed tables, as it is made. */
export type ForeignKey = { table: string; name: string; definition: string };

/** Drops the foreign keys of tables that are to be distributed: there is none between a table that is and one that isn't. */
async function setKeysAside(trx: Transaction, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and relnamespace = current_schema()::regnamespace
      and relname = any(cast(${tables} as text[]))
    order by relname, conname`.execute(trx);
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(trx);
  }
  return rows;
}

async function addKeys(trx: Transaction, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(trx);
  }
}

/** Distributes a table with its rows, in the shards where its workspaces have their heads. */
async function distributeTable(trx: Transaction, table: string): Promise<void> {
  const { rows: policies } = await sql<{ name: string; command: string }>`
    select policyname as name, cmd as command from pg_policies
    where schemaname = current_schema() and tablename = ${table}`.execute(trx);
  for (const { name } of policies) await sql`drop policy ${sql.ref(name)} on ${sql.table(table)}`.execute(trx);
  // The rows are copied, which policies forbid; its lock keeps everybody else out until they hold again.
  await sql`alter table ${sql.table(table)} disable row level security, no force row level security`.execute(trx);
  const neighbour = table === 'workspace_heads' ? 'none' : 'workspace_heads';
  await sql`select create_distributed_table(${table}, 'workspace_id', colocate_with => ${neighbour})`.execute(trx);
  if (table === 'changes') await refuseLogChanges(trx);
  await sql`alter table ${sql.table(table)} enable row level security, force row level security`.execute(trx);
  for (const { name, command } of policies) {
    const condition = sql.raw(name === 'searched' ? 'true' : IS_WANTED);
    const check = command === 'INSERT' ? sql`with check (${condition})` : sql`using (${condition})`;
    await sql`
      create policy ${sql.ref(name)} on ${sql.table(table)} for ${sql.raw(command.toLowerCase())} ${check}`.execute(
      trx,
    );
  }
}

async function createTwoPhasesTable(trx: Transaction): Promise<void> {
  await sql`create table if not exists ${sql.table(TWO_PHASES_TABLE)} (id integer)`.execute(trx);
  await sql`select citus_add_local_table_to_metadata(${TWO_PHASES_TABLE})`.execute(trx);
}

/** Whether this role may change the rights on the log: of others the server ignores it with a warning. */
export async function ownsLog(trx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select pg_has_role(relowner, 'usage') as owns from pg_class where oid = 'changes'::regclass`.execute(trx);
  return rows[0]?.owns === true;
}

/** Of two transactions that change the rights on the log at once, the second fails. */
export const LOG_RIGHTS_LOCK = sql`select pg_advisory_xact_lock(hashtext('sendroom deletes from the log'))`;

/**
 * Makes the log append-only on other machines too, for everybody who may write it. Citus makes each copy of a table there, as when it moves
 * a shard or a worker is added, with all rights of its owner.
 */
export async function refuseLogChanges(trx: Transaction): Promise<void> {
  await LOG_RIGHTS_LOCK.execute(trx);
  const { rows } = await sql<{ role: string }>`
    select distinct case grantee when 0 then 'public' else grantee::regrole::text end as role
    from pg_class cross join lateral aclexplode(coalesce(relacl, acldefault('r', relowner)))
    where pg_class.oid = 'changes'::regclass`.execute(trx);
  for (const { role } of rows) {
    await sql`revoke update, delete, truncate on changes from ${sql.raw(role)}`.execute(trx);
  }
}

/** Whether the tables are on one server, distributed, or between, because `distributeNext` has not run to its end. */
export type DistributionState = 'whole' | 'begun' | 'distributed';

export async function readDistribution(trx: Transaction): Promise<DistributionState> {
  const { rows } = await sql<{ isBegun: boolean; hasCitus: boolean }>`
    select to_regclass('distribution') is not null as "isBegun",
      to_regclass('pg_dist_partition') is not null as "hasCitus"`.execute(trx);
  if (rows[0]?.isBegun === true) return 'begun';
  if (rows[0]?.hasCitus !== true) return 'whole';
  return (await listDistributed(trx)).size > 0 ? 'distributed' : 'whole';
}

/** Why the tables can't be distributed now, in one sentence; null if they can. */
export async function findObstacle(trx: Transaction): Promise<string | null> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from pg_extension where extname = 'citus') as has`.execute(trx);
  if (rows[0]?.has !== true) {
    return 'This database has no extension Citus: install it on each machine, then run `create extension citus` here.';
  }
  const { rows: nodes } = await sql<{ workers: number; away: number }>`
    select count(*) filter (where shouldhaveshards) as workers, count(*) filter (where not isactive) as away
    from pg_dist_node where noderole = 'primary' and groupid <> 0`.execute(trx);
  if (nodes[0]?.workers === 0) return 'This database has no workers: add them with `citus_add_node` first.';
  if (nodes[0]?.away !== 0) return 'A worker is not active: see `pg_dist_node`.';
  return findRefusal(trx);
}

/** Why this role can't have its tables on a worker; null if it can on each. */
async function findRefusal(trx: Transaction): Promise<string | null> {
  const { rows } = await sql<{ machine: string; success: boolean; result: string }>`
    select nodename || ':' || nodeport as machine, success, result
    from run_command_on_workers(
      'select coalesce(has_schema_privilege(current_schema(), ''create''), has_database_privilege(current_database(), ''create''))')`.execute(
    trx,
  );
  for (const { machine, success, result } of rows) {
    if (!success) {
      return `The coordinator doesn't reach ${machine} as this role: ${result}. Does the role exist there, and has the coordinator its password?`;
    }
    if (result !== 't') return `This role may not make tables on ${machine}: it must own the database there.`;
  }
  return null;
}

export async function hasServices(trx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ services: number }>`
    select count(*) as services from pg_stat_activity
    where application_name = 'sendroom' and datname = current_database()`.execute(trx);
  return rows[0]?.services !== 0;
}

/** A table with its number of rows, and the sum of their hashes. */
export type Measured = { table: string; count: number; sum: string };

export async function measure(trx: Transaction, table: string): Promise<Measured> {
  const { rows: columns } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped order by attnum`.execute(trx);
  const row = sql.join(columns.map(({ name }) => sql.ref(name)));
  const { rows } = await sql<Omit<Measured, 'table'>>`
    select count(*) as count, coalesce(sum(cast(hashtextextended(row(${row})::text, 0) as numeric)), 0)::text as sum
    from ${sql.table(table)}`.execute(trx);
  return { table, ...must(rows[0]) };
}

/** Begins: counts and sums are kept until the end, and the foreign keys. */
export async function beginDistribution(trx: Transaction, onTable: (measured: Measured) => void): Promise<void> {
  await sql`create table distribution (kind text, name text, value text)`.execute(trx);
  for (const table of DISTRIBUTED_TABLES) {
    const measured = await measure(trx, table);
    await keep(trx, 'table', table, measured);
    onTable(measured);
  }
  for (const key of await setKeysAside(trx, DISTRIBUTED_TABLES)) await keep(trx, 'key', key.name, key);
}

const keep = (trx: Transaction, kind: 'table' | 'key', name: string, value: Measured | ForeignKey) =>
  sql`insert into distribution (kind, name, value) values (${kind}, ${name}, ${JSON.stringify(value)})`.execute(trx);

async function readKept<Value>(trx: Transaction, kind: 'table' | 'key'): Promise<Value[]> {
  const { rows } = await sql<{ value: string }>`
    select value from distribution where kind = ${kind} order by name`.execute(trx);
  return rows.map(({ value }) => JSON.parse(value) as Value);
}

/**
 * Drops the indexes that are no keys, and gives their definitions: to fill one row by row takes several times as long as to make it. Those of
 * a partitioned table stay: by its definition an index would be made without its partitions.
 */
async function setIndexesAside(trx: Transaction, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = ${table}
      and not exists (select from pg_constraint where conindid = to_regclass(indexname))
      and not exists (select from pg_partitioned_table where partrelid = to_regclass(tablename))`.execute(trx);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(trx);
  return rows.map(({ definition }) => definition);
}

/** Distributes the next table and compares its rows with those of before; null where there is none left. Throws where they differ. */
export async function distributeNext(trx: Transaction): Promise<Measured | null> {
  const distributed = await listDistributed(trx);
  const table = DISTRIBUTED_TABLES.find((name) => !distributed.has(name));
  if (table === undefined) return null;
  const before = (await readKept<Measured>(trx, 'table')).find((kept) => kept.table === table);
  const indexes = before?.count === 0 ? [] : await setIndexesAside(trx, table);
  await distributeTable(trx, table);
  for (const index of indexes) await sql.raw(index).execute(trx);
  const after = await measure(trx, table);
  if (before?.count !== after.count || before.sum !== after.sum) {
    throw new Error(`The rows of ${table} differ after they were distributed. It was left as it was.`);
  }
  return after;
}

/** Removes what is left of the rows on the coordinator, adds the foreign keys again, and what commits in two phases need. */
export async function endDistribution(trx: Transaction): Promise<void> {
  // The log is append-only for the role that owns it, too.
  await sql`grant truncate on changes to current_user`.execute(trx);
  for (const table of DISTRIBUTED_TABLES) {
    await sql`select truncate_local_data_after_distributing_table(${table})`.execute(trx);
  }
  await sql`revoke truncate on changes from current_user`.execute(trx);
  await addKeys(trx, await readKept<ForeignKey>(trx, 'key'));
  await createTwoPhasesTable(trx);
  await sql`drop table distribution`.execute(trx);
}
