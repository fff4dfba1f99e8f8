import { type Kysely, sql } from 'kysely';
import { createHash, randomBytes } from 'node:crypto';
import type { Tables } from '../tables.ts';
import { addWorkspacePolicy, type Migration, rejectOtherProcesses, required, zero } from './migration.ts';

const PERIOD = 900_000;
/** How the changes of a contact begin that change its subscription. */
const SUBSCRIPTION = /^\[\{"field":"subscribed","before":(?:true|false),"after":(true|false)\}/;
/** Lines that are read and written at once. A line may have 1.6 MB of changes. */
const LINES = 100;
const FIELDS_MAX = 20;

/** One log for everything that happens in a workspace (docs/decisions/0031-log.md), in place of `contact_changes`. */
export const log: Migration = async (trx, dialect) => {
  const { hasRowSecurity, ordered } = dialect;
  await rejectOtherProcesses(trx, dialect, 'would find no log of changes');
  await createTables(trx, ordered);
  await stageChanges(trx);
  await writeLines(trx);
  await trx.schema.dropTable('staged_changes').execute();
  await countByActor(trx, ordered);
  await trx.schema.dropTable('contact_changes').execute();
  await createIndexes(trx);
  if (hasRowSecurity) {
    for (const table of ['changes', 'change_values', 'unsubscribe_counts']) await addWorkspacePolicy(trx, table);
    await revokeChanges(trx);
  } else {
    for (const act of ['update', 'delete']) {
      await sql`
        create trigger ${sql.ref(`changes_refuse_${act}`)} before ${sql.raw(act)} on changes begin
          select raise(abort, 'The log is append-only.'); end`.execute(trx);
    }
  }
};

async function createTables({ schema }: Kysely<Tables>, ordered: string): Promise<void> {
  await schema.alterTable('workspaces').addColumn('log_count', 'bigint', zero).execute();
  await schema
    .alterTable('workspaces')
    .addColumn('log_hash', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await schema.alterTable('workspaces').addColumn('log_at', 'bigint', zero).execute();
  await schema
    .createTable('changes')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('number', 'bigint', required)
    .addColumn('uuid', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('action', 'text', required)
    .addColumn('actor_kind', 'text', required)
    .addColumn('actor', 'text', required)
    .addColumn('actor_name', 'text')
    .addColumn('actor_email', 'text')
    .addColumn('actor_subject', 'text')
    .addColumn('contact_uuid', 'text')
    .addColumn('contact_number', 'bigint')
    .addColumn('subscribed', 'integer')
    .addColumn('request_id', 'text')
    .addColumn('run', 'text')
    .addColumn('size', 'bigint', required)
    .addColumn('values_digest', 'text')
    .addColumn('hash', 'text', required)
    .addColumn('actor_number', 'bigint', required)
    .addColumn('action_number', 'bigint', required)
    .addColumn('actor_action_number', 'bigint', required)
    .addPrimaryKeyConstraint('changes_by_number', ['workspace_id', 'number'])
    .modifyEnd(sql.raw(ordered))
    .execute();
  await schema
    .createTable('change_values')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('number', 'bigint', required)
    .addColumn('salt', 'text', required)
    .addColumn('summary', 'text', required)
    .addColumn('changes', 'text', required)
    .addPrimaryKeyConstraint('change_values_by_number', ['workspace_id', 'number'])
    .modifyEnd(sql.raw(ordered))
    .execute();
}

/** After the rows, which is faster than row by row. */
async function createIndexes({ schema }: Kysely<Tables>): Promise<void> {
  const indexes: [name: string, columns: string[], isUnique: boolean][] = [
    ['actor', ['actor', 'actor_number'], true],
    ['action', ['action', 'action_number'], true],
    ['actor_action', ['actor', 'action', 'actor_action_number'], true],
    ['contact', ['contact_uuid', 'contact_number'], true],
    ['uuid', ['uuid'], true],
    ['request', ['request_id'], false],
    ['run', ['run', 'number'], false],
  ];
  for (const [name, columns, isUnique] of indexes) {
    const index = schema
      .createIndex(`changes_by_${name}`)
      .on('changes')
      .columns(['workspace_id', ...columns]);
    const optional = columns.find((column) => ['contact_uuid', 'request_id', 'run'].includes(column));
    const unique = isUnique ? index.unique() : index;
    await (optional === undefined ? unique : unique.where(sql.ref(optional), 'is not', null)).execute();
  }
  await schema
    .createIndex('changes_large')
    .on('changes')
    .columns(['workspace_id', 'contact_uuid', 'size'])
    .where(sql.ref('size'), '>', sql.lit(4096))
    .execute();
}

/**
 * Numbers the changes of each workspace in the order of time. Within a contact their own order holds, also where a clock was set
 * back: then a line has the time of the one before.
 */
async function stageChanges(trx: Kysely<Tables>): Promise<void> {
  await sql`
    create table staged_changes as
    select timed.workspace_id as workspace_id,
      row_number() over (partition by timed.workspace_id order by timed.at, timed.contact_id, timed.number) as number,
      contacts.uuid as contact_uuid, timed.number as contact_number, timed.uuid as uuid, timed.action as action,
      timed.at as created_at, timed.token_uuid as token_uuid, timed.token_name as token_name,
      timed.request_id as request_id, timed.reason as reason, timed.changes as changes
    from (
      select contact_changes.*, max(created_at) over (
        partition by workspace_id, contact_id order by number rows between unbounded preceding and current row
      ) as at
      from contact_changes
    ) as timed
    join contacts on contacts.workspace_id = timed.workspace_id and contacts.id = timed.contact_id`.execute(trx);
  await sql`create index staged_changes_by_number on staged_changes (workspace_id, number)`.execute(trx);
}

type StagedChange = {
  workspace_id: number;
  number: number;
  contact_uuid: string;
  contact_number: number;
  uuid: string;
  action: string;
  created_at: number;
  token_uuid: string | null;
  token_name: string | null;
  request_id: string | null;
  reason: string | null;
  changes: string;
};

/** What the next line of a workspace follows. */
type Head = { hash: string; at: number; count: number; groups: Map<string, number> };

async function writeLines(trx: Kysely<Tables>): Promise<void> {
  const heads = new Map<number, Head>();
  for (let after: StagedChange | null = null; ;) {
    const rows: StagedChange[] = await readStaged(trx, after);
    after = rows.at(-1) ?? null;
    if (after === null) break;
    const lines = rows.map((row) => {
      const head = heads.getOrInsertComputed(row.workspace_id, () => ({
        hash: '',
        at: 0,
        count: 0,
        groups: new Map(),
      }));
      return toLine(row, head);
    });
    await trx
      .insertInto('changes')
      .values(lines.map(({ line }) => line) as never)
      .execute();
    await trx
      .insertInto('change_values')
      .values(lines.map(({ values }) => values) as never)
      .execute();
  }
  for (const [id, { hash, at, count }] of heads) {
    await sql`update workspaces set log_count = ${count}, log_hash = ${hash}, log_at = ${at} where id = ${id}`.execute(
      trx,
    );
  }
}

async function readStaged(trx: Kysely<Tables>, after: StagedChange | null): Promise<StagedChange[]> {
  const { rows } = await sql<StagedChange>`
    select * from staged_changes
    where (workspace_id, number) > (${after?.workspace_id ?? 0}, ${after?.number ?? 0})
    order by workspace_id, number limit ${sql.lit(LINES)}`.execute(trx);
  return rows;
}

function toLine(row: StagedChange, head: Head): { line: object; values: object } {
  const { workspace_id, number, reason, changes } = row;
  const fields = fieldsOf(changes);
  const salt = randomBytes(16).toString('hex');
  const summary = JSON.stringify({
    reason,
    fields: fields.slice(0, FIELDS_MAX),
    field_count: fields.length,
    details: null,
  });
  const written = {
    number,
    uuid: row.uuid,
    created_at: row.created_at,
    action: row.action,
    actor_kind: row.token_name === null ? 'command' : 'token',
    actor: row.token_name === null ? 'command' : (row.token_uuid ?? row.token_name),
    actor_name: row.token_name,
    actor_email: null,
    actor_subject: null,
    contact_uuid: row.contact_uuid,
    contact_number: row.contact_number,
    subscribed: subscribedIn(changes),
    request_id: row.request_id,
    run: null,
    size: Buffer.byteLength(changes),
    values_digest: hashOf([salt, summary, changes]),
  };
  const hash = hashOf([head.hash, ...Object.values(written)]);
  const countIn = (group: string[]) => {
    const count = (head.groups.get(group.join('\n')) ?? 0) + 1;
    head.groups.set(group.join('\n'), count);
    return count;
  };
  head.hash = hash;
  head.at = row.created_at;
  head.count = number;
  const line = {
    workspace_id,
    ...written,
    hash,
    actor_number: countIn(['actor', written.actor]),
    action_number: countIn(['action', written.action]),
    actor_action_number: countIn(['both', written.actor, written.action]),
  };
  return { line, values: { workspace_id, number, salt, summary, changes } };
}

function hashOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

/** None where the text is not what the service writes, which `admin check` tells. */
function fieldsOf(changes: string): string[] {
  try {
    return (JSON.parse(changes) as { field: string }[]).map(({ field }) => field);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return [];
    throw error;
  }
}

/** What the subscription became; null where it did not change. */
function subscribedIn(changes: string): number | null {
  const [, after] = SUBSCRIPTION.exec(changes) ?? [];
  return after === undefined ? null : Number(after === 'true');
}

/** Unsubscribes are counted by the actor instead of the name of a token, which several may have. */
async function countByActor(trx: Kysely<Tables>, ordered: string): Promise<void> {
  await trx.schema.dropTable('unsubscribe_counts').execute();
  await trx.schema
    .createTable('unsubscribe_counts')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('period', 'bigint', required)
    .addColumn('actor', 'text', required)
    .addColumn('count', 'bigint', required)
    .addPrimaryKeyConstraint('unsubscribe_counts_by_period', ['workspace_id', 'period', 'actor'])
    .modifyEnd(sql.raw(ordered))
    .execute();
  await sql`
    insert into unsubscribe_counts (workspace_id, period, actor, count)
    select workspace_id, created_at / ${sql.lit(PERIOD)}, actor, count(*)
    from changes where subscribed = 0 group by 1, 2, 3`.execute(trx);
}

/** From every role that has these rights: the owner, and the role of a service that is not the owner. */
async function revokeChanges(trx: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ role: string }>`
    select distinct case grantee when 0 then 'public' else grantee::regrole::text end as role
    from pg_class cross join lateral aclexplode(coalesce(relacl, acldefault('r', relowner))) as granted
    where pg_class.oid = 'changes'::regclass and privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')`.execute(trx);
  for (const { role } of rows) {
    await sql`revoke update, delete, truncate on changes from ${sql.raw(role)}`.execute(trx);
  }
}
