import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Database, Transaction } from '../database/database.ts';
import { replicationName } from '../database/replicationName.ts';
import { insertRows } from '../database/insertRows.ts';
import { listTables } from '../database/schema/tableDescriptions.ts';
import type { Tables, WorkspaceId } from '../database/schema/tables.ts';
import type { StoredRow } from '../database/storedRow.ts';
import type { Workspace } from '../database/workspace.ts';

// A workspace that moves from one database (the source) to another (the target). One row decides where it is: `moved_to` in the source.
// Until that is set, the target's row is suspended and read-only; before it is set, the source's becomes read-only.

/** Where a workspace is, as its row in one database says. */
export type WorkspacePlace = {
  id: WorkspaceId;
  uuid: string;
  suspended: boolean;
  read_only: boolean;
  moved_to: string | null;
};

/** Null if the database doesn't have it. */
export function findPlace(db: Database, uuid: string): Promise<WorkspacePlace | null> {
  return findPlaceBy(db, 'uuid', uuid);
}

/** The workspace that has the id of another. */
export function findPlaceOfId(db: Database, id: WorkspaceId): Promise<WorkspacePlace | null> {
  return findPlaceBy(db, 'id', id);
}

async function findPlaceBy(
  db: Database,
  column: 'id' | 'uuid',
  value: string | number,
): Promise<WorkspacePlace | null> {
  const row = await db.unscoped.kysely
    .selectFrom('workspaces')
    .select(['id', 'uuid', 'suspended', 'read_only', 'moved_to'])
    .where(column, '=', value as WorkspaceId & string)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, suspended: row.suspended === 1, read_only: row.read_only === 1 };
}

/** Whether it's a copy that isn't complete yet. */
export const isArriving = ({ suspended, read_only, moved_to }: WorkspacePlace) =>
  suspended && read_only && moved_to === null;

/** Whether it was stopped for a move, is arriving, or has moved and is still followed by the target. */
export async function isMoving(db: Database, { uuid }: Workspace): Promise<boolean> {
  const place = await findPlace(db, uuid);
  if (place === null || (!place.read_only && place.moved_to === null)) return false;
  if (place.moved_to === null) return true;
  const publications = sql`select 1 from pg_publication where pubname = ${replicationName(uuid)}`;
  return (await publications.execute(db.unscoped.kysely)).rows.length > 0;
}

/** Adds the row of a workspace that arrives, unless it's there. */
export async function addArriving(target: Database, { id, uuid, name, identity_field }: Workspace): Promise<void> {
  const row = { id, uuid, name, identity_field, created_at: 0, suspended: 1, read_only: 1 };
  await target.unscoped.write((trx) =>
    trx
      .insertInto('workspaces')
      .values(row)
      .onConflict((taken) => taken.column('uuid').doNothing())
      .execute(),
  );
}

/** Refuses changes in the source from now on, once those under way are done. False, and nothing was changed, if it's suspended. */
export function stopWrites(source: Database, workspace: Workspace): Promise<boolean> {
  return source.write(workspace, async (scope) => {
    const stopped = await scope.updateOwn().set({ read_only: 1 }).where('suspended', '=', 0).executeTakeFirst();
    return stopped.numUpdatedRows === 1n;
  });
}

/** Accepts changes in the source again, unless it was decided that the workspace has moved. */
export async function allowWrites(source: Database, uuid: string): Promise<void> {
  await source.unscoped.write((trx) =>
    trx
      .updateTable('workspaces')
      .set({ read_only: 0 })
      .where('uuid', '=', uuid)
      .where('moved_to', 'is', null)
      .execute(),
  );
}

/** UUIDs of people in the source who have another one in the target. */
export type RenamedPeople = ReadonlyMap<string, string>;

/** What gives access, besides sessions and links to sign in, which end: they're of the source's address. */
const ACCESS_TABLES = listTables(({ holds }) => holds === 'access').filter(
  (table) => table !== 'sessions' && table !== 'sign_in_codes',
);

/**
 * Copies the row of the workspace and what gives access to it, instead of what an earlier call copied. People are those of the target
 * with the same account.
 */
export function copyAccess(source: Database, target: Database, id: WorkspaceId): Promise<RenamedPeople> {
  return source.unscoped.read((from) =>
    target.unscoped.write(async (to) => {
      const renamed = await addPeople(from, to, id);
      for (const table of ACCESS_TABLES.toReversed())
        await sql`delete from ${sql.table(table)} where workspace_id = ${id}`.execute(to);
      for (const table of ACCESS_TABLES) {
        const { rows } = await sql<StoredRow>`select * from ${sql.table(table)} where workspace_id = ${id}`.execute(
          from,
        );
        await insertRows(
          to,
          table,
          rows.map((row) => renameIn(row, 'person_uuid', renamed)),
        );
      }
      const own = await from.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const { id: _, suspended: _suspended, read_only: _readOnly, moved_to: _movedTo, ...copied } = own;
      await to.updateTable('workspaces').set(copied).where('id', '=', id).execute();
      return renamed;
    }),
  );
}

function renameIn(row: StoredRow, column: string, renamed: RenamedPeople): StoredRow {
  const uuid = row[column];
  return typeof uuid === 'string' ? { ...row, [column]: renamed.get(uuid) ?? uuid } : row;
}

async function addPeople(from: Transaction, to: Transaction, id: WorkspaceId): Promise<RenamedPeople> {
  const people = await from
    .selectFrom('people')
    .selectAll()
    .where(
      'uuid',
      'in',
      from
        .selectFrom('members')
        .select('person_uuid')
        .where('workspace_id', '=', id)
        .where('person_uuid', 'is not', null),
    )
    .execute();
  const renamed = new Map<string, string>();
  for (const person of people) {
    await to
      .insertInto('people')
      .values(person)
      .onConflict((taken) => taken.columns(['issuer', 'subject']).doNothing())
      .execute();
    const { uuid } = await to
      .selectFrom('people')
      .select('uuid')
      .where('issuer', '=', person.issuer)
      .where('subject', '=', person.subject)
      .executeTakeFirstOrThrow();
    if (uuid !== person.uuid) renamed.set(person.uuid, uuid);
  }
  return renamed;
}

/** Decides that the workspace has moved to the service at `address`. From then on the source refuses its requests. */
export async function setMoved(source: Database, id: WorkspaceId, address: string): Promise<void> {
  const { numUpdatedRows } = await source.unscoped.write((trx) =>
    trx
      .updateTable('workspaces')
      .set({ moved_to: address, suspended: 1 })
      .where('id', '=', id)
      .where('read_only', '=', 1)
      .where('moved_to', 'is', null)
      .executeTakeFirst(),
  );
  if (numUpdatedRows !== 1n) throw new Error('The source accepted changes again before the workspace had moved.');
}

/** Where a person owns something, or may act because of who they are. The log keeps the UUID of the source. */
const OWNERS: readonly (readonly [table: keyof Tables, column: string])[] = [
  ['saved_views', 'actor'],
  ['runs', 'actor'],
  ['runs', 'approver'],
  ['acceptances', 'actor'],
  ['shared_links', 'actor'],
];

/** Accepts requests of the workspace in the target. Only once the source says that it has moved. */
export async function activate(target: Database, id: WorkspaceId, renamed: RenamedPeople): Promise<void> {
  await target.unscoped.write(async (trx) => {
    for (const [table, column] of OWNERS) {
      for (const [before, uuid] of renamed) {
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${uuid}
          where workspace_id = ${id} and ${sql.ref(column)} = ${before}`.execute(trx);
      }
    }
    await trx.updateTable('workspaces').set({ suspended: 0, read_only: 0 }).where('id', '=', id).execute();
  });
}

/** Rows of a table that a workspace has, with a sum that differs if one of them does. */
type TableSum = { rows: number; sum: string };

/** Compares all rows of `tables`, and gives one sentence for each table that differs, and the number of rows of the source. */
export async function compareContents(
  source: Database,
  target: Database,
  id: WorkspaceId,
  tables: readonly string[],
): Promise<{ differences: string[]; rows: number }> {
  const compared = await Promise.all(
    tables.map(async (table) => {
      const [there, here] = await Promise.all([source, target].map((db) => sumTable(db, id, table)));
      const [from, to] = [must(there), must(here)];
      const isSame = from.rows === to.rows && from.sum === to.sum;
      const counts = [from.rows, to.rows].map((count) => count.toLocaleString('en'));
      const sentence = `${table} differs: ${counts[0]} rows in the source, ${counts[1]} in the target.`;
      return { rows: from.rows, differences: isSame ? [] : [sentence] };
    }),
  );
  return {
    differences: compared.flatMap(({ differences }) => differences),
    rows: compared.reduce((sum, { rows }) => sum + rows, 0),
  };
}

function sumTable(db: Database, id: WorkspaceId, table: string): Promise<TableSum> {
  return db.unscoped.read(async (trx) => {
    // Their order may differ, where one of the databases has had earlier steps of the schema.
    const { rows: columns } = await sql<{ name: string }>`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attname collate "C"`.execute(
      trx,
    );
    const row = sql.join(columns.map(({ name }) => sql.ref(name)));
    const { rows } = await sql<TableSum>`
      select count(*) as rows, coalesce(sum(hash_record_extended(row(${row}), 0)::numeric), 0)::text as sum
      from ${sql.table(table)} where workspace_id = ${id}`.execute(trx);
    return must(rows[0]);
  });
}
