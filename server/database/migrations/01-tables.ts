import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type Migration, required, zero } from './migration.ts';

export const tables: Migration = async ({ schema }, dialect) => {
  const ordered = sql.raw(dialect.ordered);
  await createWorkspaces(schema);
  await createContacts(schema, ordered);
  await createEvents(schema, ordered);
  await createDomains(schema, ordered);
  await createAddresses(schema);
};

async function createWorkspaces(schema: Kysely<Tables>['schema']): Promise<void> {
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
}

async function createContacts(schema: Kysely<Tables>['schema'], ordered: RawBuilder<unknown>): Promise<void> {
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
}

async function createEvents(schema: Kysely<Tables>['schema'], ordered: RawBuilder<unknown>): Promise<void> {
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
  for (let part = 0; part < 16; part++) periods = periods.addColumn(`c${part}`, 'bigint', required);
  await periods
    .addPrimaryKeyConstraint('event_periods_by_name', ['workspace_id', 'contact_id', 'level', 'event_name', 'period'])
    .modifyEnd(ordered)
    .execute();
}

async function createDomains(schema: Kysely<Tables>['schema'], ordered: RawBuilder<unknown>): Promise<void> {
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
}

async function createAddresses(schema: Kysely<Tables>['schema']): Promise<void> {
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
