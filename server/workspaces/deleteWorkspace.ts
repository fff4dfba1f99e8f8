import { sql } from 'kysely';
import { deletingFromLog, engineOf } from '../database/engine.ts';
import type { Database } from '../database/database.ts';
import type { Scope, WorkspaceTable } from '../database/scope.ts';
import { removeSearchText } from '../database/search/searchContacts.ts';
import { listTables, TABLE_DESCRIPTIONS } from '../database/schema/tableDescriptions.ts';
import type { Workspace } from '../database/workspace.ts';

/** Rows of a table in one transaction, so that the writes of others come between: of contacts, the dearest, about 50 ms. */
const BATCH_SIZE = 250;

/** Each before those that its rows refer to. */
const TABLES = listTables(({ holds }) => holds !== 'system').toReversed() as WorkspaceTable[];

/** What a workspace has, to be shown before it is deleted. `log_hash` is the hash of the last line of its log. */
export type WorkspaceContents = Record<
  | 'contacts'
  | 'events'
  | 'domains'
  | 'addresses'
  | 'shared_links'
  | 'destinations'
  | 'messages'
  | 'deliveries'
  | 'runs'
  | 'saved_views'
  | 'log_lines'
  | 'members'
  | 'tokens',
  number
> & {
  log_hash: string;
};

export function countContents(workspace: Workspace, db: Database): Promise<WorkspaceContents> {
  return db.read(
    workspace,
    async (scope) => {
      const count = async (table: WorkspaceTable) => {
        const counted = scope.select(table).select(({ fn }) => fn.countAll<number>().as('rows'));
        return (await counted.executeTakeFirstOrThrow()).rows;
      };
      const { log_hash } = await scope.select('workspace_heads').select('log_hash').executeTakeFirstOrThrow();
      return {
        contacts: await count('contacts'),
        events: await count('events'),
        domains: await count('domains'),
        addresses: await count('addresses'),
        shared_links: await count('shared_links'),
        destinations: await count('destinations'),
        messages: await count('messages'),
        deliveries: await count('deliveries'),
        runs: await count('runs'),
        saved_views: await count('saved_views'),
        log_lines: await count('changes'),
        members: await count('members'),
        tokens: await count('tokens'),
        log_hash,
      };
    },
    { isLong: true },
  );
}

/**
 * Deletes a workspace with everything in it, its log too, and people who are members of no other. It is suspended first, so that it
 * takes no requests, and then emptied in many transactions: what is killed meanwhile is done by a repeat. `onDeleted` gets the number
 * of rows after each.
 */
export async function deleteWorkspace(
  workspace: Workspace,
  db: Database,
  onDeleted: (rows: number) => void,
): Promise<void> {
  await closeForGood(workspace, db);
  for (const table of TABLES.filter((name) => name !== 'members')) {
    let deleted = BATCH_SIZE;
    while (deleted === BATCH_SIZE) {
      deleted = await db.write(workspace, (scope) => deleteRows(scope, table));
      onDeleted(deleted);
    }
  }
  await deleteMembers(workspace, db);
  await db.write(workspace, async (scope) => {
    // What requests that were under way have written, too.
    for (const table of TABLES) while ((await deleteRows(scope, table)) === BATCH_SIZE);
    await scope.kysely.deleteFrom('workspaces').where('id', '=', scope.id).execute();
  });
}

/** Refuses its requests, and lets this process write, also where it has moved away. */
async function closeForGood({ id }: Workspace, db: Database): Promise<void> {
  await db.unscoped.write((trx) =>
    trx.updateTable('workspaces').set({ suspended: 1, read_only: 0 }).where('id', '=', id).execute(),
  );
}

/** Deletes its members, and in the same transaction people who are members of no other: a repeat would not find them. */
async function deleteMembers({ id }: Workspace, db: Database): Promise<void> {
  await db.unscoped.write(async (trx) => {
    const members = await trx.selectFrom('members').select('person_uuid').where('workspace_id', '=', id).execute();
    await trx.deleteFrom('members').where('workspace_id', '=', id).execute();
    for (const uuid of members.flatMap(({ person_uuid }) => person_uuid ?? [])) {
      const others = await trx.selectFrom('members').select('uuid').where('person_uuid', '=', uuid).limit(1).execute();
      if (others.length > 0) continue;
      await trx.deleteFrom('sessions').where('person_uuid', '=', uuid).execute();
      await trx.deleteFrom('people').where('uuid', '=', uuid).execute();
    }
  });
}

/** Deletes a batch of rows, and gives how many. */
async function deleteRows(scope: Scope, table: WorkspaceTable): Promise<number> {
  if (table === 'contacts') {
    const rows = await scope.select('contacts').select('id').orderBy('id').limit(BATCH_SIZE).execute();
    await removeSearchText(
      scope,
      rows.map(({ id }) => id),
    );
  }
  const columns: readonly string[] = TABLE_DESCRIPTIONS[table].primaryKey;
  const key = sql.join(columns.map((column) => sql.ref(column)));
  const isAmongFirst = engineOf(scope.kysely).isAmongFirst(scope, table, key, BATCH_SIZE);
  const remove = async () => {
    const statement = sql`delete from ${sql.table(table)} where ${isAmongFirst}`;
    const { numAffectedRows = 0n } = await statement.execute(scope.kysely);
    return Number(numAffectedRows);
  };
  return table === 'changes' ? deletingFromLog(scope, remove) : remove();
}
