import { type ColumnDefinitionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { boundedLists } from './boundedLists.ts';
import { SORTED_MAX, sortedPart } from './containing.ts';
import { PARTS, type Tables } from './tables.ts';

/** What differs between engines when tables are made. */
export type Engine = {
  /** What follows a table whose rows shall lie in the order of its primary key. */
  ordered: string;
  /** What precedes a table whose rows may be lost in a crash. */
  passing: string;
  /** Whether a search reads all of an index, and not of the table. */
  searchesIndexes: boolean;
};

export type Migration = (trx: Kysely<Tables>, engine: Engine) => Promise<void>;

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);

/** The schema, step by step: the position of a step is its version, and a step that was released never changes. */
export const migrations: readonly Migration[] = [
  first,
  changeLog,
  verdicts,
  marks,
  allowances,
  contactLists,
  domainLists,
  boundedLists,
];

async function first(trx: Kysely<Tables>, engine: Engine): Promise<void> {
  const { schema } = trx;
  const ordered = sql.raw(engine.ordered);

  await schema
    .createTable('workspaces')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', required)
    .addColumn('identity_field', 'text')
    .addColumn('suspended', 'integer', zero)
    .addColumn('next_contact_id', 'bigint', (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', 'bigint', required)
    .execute();

  await schema
    .createTable('tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'bigint', (column) => column.notNull().references('workspaces.id'))
    .addColumn('uuid', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('revoked_at', 'bigint')
    .addUniqueConstraint('tokens_by_uuid', ['workspace_id', 'uuid'])
    .execute();

  await schema
    .createTable('sessions')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('token_uuid', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('seen_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('stated_workspace', 'text')
    .addForeignKeyConstraint('session_token', ['workspace_id', 'token_uuid'], 'tokens', ['workspace_id', 'uuid'])
    .execute();

  await schema
    .createTable('sign_in_codes')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('token_uuid', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('used_at', 'bigint')
    .addForeignKeyConstraint('code_token', ['workspace_id', 'token_uuid'], 'tokens', ['workspace_id', 'uuid'])
    .execute();

  await schema
    .createTable('contacts')
    .addColumn('workspace_id', 'bigint', (column) => column.notNull().references('workspaces.id'))
    .addColumn('id', 'bigint', required)
    .addColumn('uuid', 'text', required)
    .addColumn('subscribed', 'integer', required)
    .addColumn('attributes', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addColumn('event_count', 'bigint', zero)
    .addColumn('email_key', 'text', required)
    .addColumn('first_name_key', 'text', required)
    .addColumn('last_name_key', 'text', required)
    .addColumn('company_key', 'text', required)
    .addColumn('search_key', 'text', required)
    .addPrimaryKeyConstraint('contacts_by_id', ['workspace_id', 'id'])
    .addUniqueConstraint('contacts_by_uuid', ['workspace_id', 'uuid'])
    .execute();
  await schema.createIndex('contacts_by_time').on('contacts').columns(['workspace_id', 'created_at', 'uuid']).execute();

  await schema
    .createTable('identities')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('kind', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('contact_id', 'bigint', required)
    .addPrimaryKeyConstraint('identities_by_key', ['workspace_id', 'kind', 'key'])
    .addForeignKeyConstraint('identity_contact', ['workspace_id', 'contact_id'], 'contacts', ['workspace_id', 'id'])
    .modifyEnd(ordered)
    .execute();

  await schema
    .createTable('events')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('contact_id', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('uuid', 'text', required)
    .addColumn('event_name', 'text', required)
    .addColumn('attributes', 'text', required)
    .addPrimaryKeyConstraint('events_by_time', ['workspace_id', 'contact_id', 'created_at', 'uuid'])
    .addForeignKeyConstraint('event_contact', ['workspace_id', 'contact_id'], 'contacts', ['workspace_id', 'id'])
    .modifyEnd(ordered)
    .execute();
  await schema
    .createIndex('events_by_name')
    .on('events')
    .columns(['workspace_id', 'contact_id', 'event_name', 'created_at', 'uuid'])
    .execute();
  await schema.createIndex('events_by_uuid').unique().on('events').columns(['workspace_id', 'uuid']).execute();

  await schema
    .createTable('event_names')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('contact_id', 'bigint', required)
    .addColumn('event_name', 'text', required)
    .addColumn('name_key', 'text', required)
    .addColumn('count', 'bigint', required)
    .addPrimaryKeyConstraint('event_names_by_name', ['workspace_id', 'contact_id', 'event_name'])
    .modifyEnd(ordered)
    .execute();

  let periods = schema
    .createTable('event_periods')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('contact_id', 'bigint', required)
    .addColumn('level', 'integer', required)
    .addColumn('event_name', 'text', required)
    .addColumn('period', 'bigint', required);
  for (const part of PARTS) periods = periods.addColumn(part, 'bigint', required);
  await periods
    .addPrimaryKeyConstraint('event_periods_by_name', ['workspace_id', 'contact_id', 'level', 'event_name', 'period'])
    .modifyEnd(ordered)
    .execute();

  await schema
    .createTable('domains')
    .addColumn('workspace_id', 'bigint', (column) => column.notNull().references('workspaces.id'))
    .addColumn('uuid', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('name_key', 'text', required)
    .addColumn('domain', 'text', required)
    .addColumn('verified', 'integer', required)
    .addColumn('provider', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('verification', 'text', required)
    .addColumn('mail_from_domain', 'text', required)
    .addColumn('mail_from_verified', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addPrimaryKeyConstraint('domains_by_uuid', ['workspace_id', 'uuid'])
    .addUniqueConstraint('domains_by_name', ['workspace_id', 'name_key'])
    .execute();

  await schema
    .createTable('dns_records')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('domain_uuid', 'text', required)
    .addColumn('position', 'integer', required)
    .addColumn('type', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('value', 'text', required)
    .addColumn('is_valid', 'integer', required)
    .addPrimaryKeyConstraint('dns_records_by_position', ['workspace_id', 'domain_uuid', 'position'])
    .addForeignKeyConstraint('record_domain', ['workspace_id', 'domain_uuid'], 'domains', ['workspace_id', 'uuid'])
    .modifyEnd(ordered)
    .execute();

  await schema
    .createTable('addresses')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('uuid', 'text', required)
    .addColumn('domain_uuid', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('full_address', 'text', required)
    .addColumn('address_key', 'text', required)
    .addColumn('provider', 'text', required)
    .addColumn('display_name', 'text', required)
    .addColumn('verification', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addPrimaryKeyConstraint('addresses_by_uuid', ['workspace_id', 'uuid'])
    .addUniqueConstraint('addresses_by_key', ['workspace_id', 'domain_uuid', 'address_key'])
    .addForeignKeyConstraint('address_domain', ['workspace_id', 'domain_uuid'], 'domains', ['workspace_id', 'uuid'])
    .execute();
  await schema
    .createIndex('addresses_by_time')
    .on('addresses')
    .columns(['workspace_id', 'domain_uuid', 'created_at', 'uuid'])
    .execute();
}

async function changeLog({ schema }: Kysely<Tables>, engine: Engine): Promise<void> {
  await schema.alterTable('contacts').addColumn('change_count', 'bigint', zero).execute();

  await schema
    .createTable('contact_changes')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('contact_id', 'bigint', required)
    .addColumn('number', 'bigint', required)
    .addColumn('uuid', 'text', required)
    .addColumn('action', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('token_uuid', 'text')
    .addColumn('token_name', 'text')
    .addColumn('request_id', 'text')
    .addColumn('reason', 'text')
    .addColumn('changes', 'text', required)
    .addPrimaryKeyConstraint('contact_changes_by_number', ['workspace_id', 'contact_id', 'number'])
    .addForeignKeyConstraint('change_contact', ['workspace_id', 'contact_id'], 'contacts', ['workspace_id', 'id'])
    .modifyEnd(sql.raw(engine.ordered))
    .execute();
}

async function verdicts(trx: Kysely<Tables>): Promise<void> {
  const { schema } = trx;
  await schema.alterTable('dns_records').addColumn('failed_at', 'bigint').execute();
  await schema.alterTable('domains').addColumn('verdicts_at', 'bigint', zero).execute();
  await schema.alterTable('domains').addColumn('next_check_at', 'bigint', zero).execute();
  await trx
    .updateTable('domains')
    .set((domain) => ({ verdicts_at: domain.ref('updated_at') }))
    .execute();
  await schema.createIndex('domains_by_check').on('domains').columns(['workspace_id', 'next_check_at']).execute();
}

async function marks({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('workspaces').addColumn('mark', 'bigint', zero).execute();
}

async function allowances({ schema }: Kysely<Tables>, engine: Engine): Promise<void> {
  await schema
    .createTable('allowances')
    .modifyFront(sql.raw(engine.passing))
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('ends_at', 'bigint', required)
    .addColumn('taken', 'bigint', required)
    .addColumn('granted', 'bigint', required)
    .execute();
}

async function contactLists(trx: Kysely<Tables>, { searchesIndexes }: Engine): Promise<void> {
  const { schema } = trx;
  for (const key of ['email_key', 'first_name_key', 'last_name_key', 'company_key']) {
    const column = sql.ref(key);
    await sql`
      update contacts set ${column} = substr(${column}, 1, ${sql.lit(SORTED_MAX)})
      where length(${column}) > ${sql.lit(SORTED_MAX)}`.execute(trx);
  }

  const create = (name: string, ...columns: string[]) =>
    schema
      .createIndex(name)
      .on('contacts')
      .columns(['workspace_id', ...columns])
      .execute();
  await schema.dropIndex('contacts_by_time').execute();
  for (const order of ['email', 'first_name', 'last_name', 'company']) {
    await create(`contacts_by_${order}`, `${order}_key`, 'uuid', 'subscribed', 'id');
  }
  await create('contacts_by_creation', 'created_at', 'uuid', 'subscribed', 'id');
  await create('contacts_by_update', 'updated_at', 'uuid', 'subscribed', 'id');
  await create('contacts_by_subscription', 'subscribed', 'uuid', 'id');
  if (searchesIndexes) await create('contacts_by_search', 'search_key', 'subscribed', 'id');

  // Last, because every request reads this table.
  await schema.alterTable('workspaces').addColumn('contact_count', 'bigint', zero).execute();
  await schema.alterTable('workspaces').addColumn('subscribed_count', 'bigint', zero).execute();
  await sql`
    update workspaces set contact_count = counted.contacts, subscribed_count = counted.subscribed
    from (
      select workspace_id, count(*) as contacts, sum(subscribed) as subscribed from contacts group by workspace_id
    ) as counted
    where workspace_id = id`.execute(trx);
}

async function domainLists(trx: Kysely<Tables>, { searchesIndexes }: Engine): Promise<void> {
  const { schema } = trx;
  await schema.alterTable('domains').addColumn('address_count', 'bigint', zero).execute();
  await sql`
    update domains set address_count = (
      select count(*) from addresses where workspace_id = domains.workspace_id and domain_uuid = domains.uuid
    )`.execute(trx);

  const create = (name: string, order: RawBuilder<unknown>) =>
    sql`create index ${sql.ref(name)} on domains (workspace_id, ${order}, uuid)`.execute(trx);
  for (const text of ['name', 'domain', 'provider', 'status', 'verification', 'mail_from_domain']) {
    await create(`domains_sorted_by_${text}`, sortedPart(text));
  }
  for (const column of ['verified', 'mail_from_verified', 'created_at', 'updated_at']) {
    await create(`domains_sorted_by_${column}`, sql.ref(column));
  }
  if (searchesIndexes) await create('domains_by_search', sql.ref('name_key'));

  await schema.alterTable('workspaces').addColumn('domain_count', 'bigint', zero).execute();
  await sql`
    update workspaces set domain_count = (select count(*) from domains where workspace_id = workspaces.id)`.execute(
    trx,
  );
}
