import { randomUUID } from 'node:crypto';
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type Migration, rejectOtherProcesses, required, type SchemaDialect, zero } from './migration.ts';

/** People and the workspaces that they are members of (docs/decisions/0033-people.md). Sessions get a UUID and may be a person's. */
export const people: Migration = async (trx, dialect) => {
  await rejectOtherProcesses(trx, dialect, 'would not understand the sessions of people');
  await createPeople(trx, dialect);
  await extendSessions(trx, dialect);
  if (!dialect.hasRowSecurity) return;
  const setting = sql.raw(`current_setting('sendroom.workspace', true)`);
  // As in 09-rowSecurity.ts. A person belongs to no workspace.
  for (const [table, condition] of [
    ['people', sql`${setting} = '*'`],
    ['members', sql`workspace_id = nullif(nullif(${setting}, ''), '*')::bigint or ${setting} = '*'`],
  ] as const) {
    await sql`alter table ${sql.table(table)} enable row level security, force row level security`.execute(trx);
    await sql`create policy workspace on ${sql.table(table)} using (nullif((${condition}), false) is not null)`.execute(
      trx,
    );
  }
};

async function createPeople({ schema }: Kysely<Tables>, { ordered }: SchemaDialect): Promise<void> {
  await schema
    .createTable('people')
    .addColumn('uuid', 'text', (column) => column.primaryKey())
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('name', 'text')
    .addColumn('created_at', 'bigint', required)
    .addUniqueConstraint('people_by_subject', ['issuer', 'subject'])
    .execute();
  await schema
    .createTable('members')
    .addColumn('workspace_id', 'bigint', (column) => column.notNull().references('workspaces.id'))
    .addColumn('uuid', 'text', required)
    .addColumn('person_uuid', 'text')
    .addColumn('email', 'text', required)
    .addColumn('email_key', 'text', required)
    .addColumn('search_key', 'text', required)
    .addColumn('name', 'text')
    .addColumn('role', 'text', required)
    .addColumn('source', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_seen_at', 'bigint')
    .addPrimaryKeyConstraint('members_by_uuid', ['workspace_id', 'uuid'])
    .modifyEnd(sql.raw(ordered))
    .execute();
  const isSignedIn = sql<boolean>`person_uuid is not null`;
  const index = (name: string) => schema.createIndex(name).on('members');
  await index('members_by_person').unique().columns(['person_uuid', 'workspace_id']).where(isSignedIn).execute();
  await index('members_by_email').columns(['email_key', 'workspace_id']).execute();
}

async function extendSessions(trx: Kysely<Tables>, { hasRowSecurity: isServer }: SchemaDialect): Promise<void> {
  const { schema } = trx;
  if (isServer) await extendOnServer(trx);
  else await rebuildSessions(trx);
  const { rows } = await sql<{ hash: string }>`select hash from sessions`.execute(trx);
  for (const { hash } of rows) await sql`update sessions set uuid = ${randomUUID()} where hash = ${hash}`.execute(trx);
  await schema.createIndex('sessions_by_uuid').unique().on('sessions').column('uuid').execute();
  await schema
    .createIndex('sessions_by_person')
    .on('sessions')
    .columns(['person_uuid', 'created_at'])
    .where(sql.ref('person_uuid'), 'is not', null)
    .execute();
}

const noUuid = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('');
/** A session is of a token of a workspace, or of a person. */
const hasOwner = sql`(person_uuid is null) = (workspace_id is not null) and (person_uuid is null) = (token_uuid is not null)`;

async function extendOnServer({ schema }: Kysely<Tables>): Promise<void> {
  const sessions = () => schema.alterTable('sessions');
  for (const name of ['workspace_id', 'token_uuid']) {
    await sessions()
      .alterColumn(name, (column) => column.dropNotNull())
      .execute();
  }
  await sessions().addColumn('uuid', 'text', noUuid).execute();
  await sessions().addColumn('person_uuid', 'text').execute();
  await sessions().addColumn('asked_at', 'bigint', zero).execute();
  await sessions().addColumn('ask_again_at', 'bigint', zero).execute();
  await sessions().addColumn('refresh_token', 'text').execute();
  await sessions().addCheckConstraint('session_owner', hasOwner).execute();
}

/** SQLite cannot let a column be null that was not. */
async function rebuildSessions(trx: Kysely<Tables>): Promise<void> {
  await sql`alter table sessions rename to sessions_of_tokens`.execute(trx);
  await trx.schema
    .createTable('sessions')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'bigint')
    .addColumn('token_uuid', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('seen_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('stated_workspace', 'text')
    .addColumn('uuid', 'text', noUuid)
    .addColumn('person_uuid', 'text')
    .addColumn('asked_at', 'bigint', zero)
    .addColumn('ask_again_at', 'bigint', zero)
    .addColumn('refresh_token', 'text')
    .addForeignKeyConstraint('session_token', ['workspace_id', 'token_uuid'], 'tokens', ['workspace_id', 'uuid'])
    .addCheckConstraint('session_owner', hasOwner)
    .execute();
  await sql`
    insert into sessions (hash, workspace_id, token_uuid, created_at, seen_at, expires_at, stated_workspace)
    select hash, workspace_id, token_uuid, created_at, seen_at, expires_at, stated_workspace from sessions_of_tokens`.execute(
    trx,
  );
  await trx.schema.dropTable('sessions_of_tokens').execute();
}
