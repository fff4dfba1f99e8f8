import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import { foldText, searchKey, SEARCHED_MAX } from '../textSearch.ts';
import type { Migration } from './migration.ts';
import { LARGE_ROW_BYTES, sizeOf, type SizedTable } from '../pageSize.ts';
import type { Tables } from '../tables.ts';

/** Contacts that are read at once. Each may have 1.6 MB of attributes. */
const CONTACTS = 50;
const SEARCHED = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];
/** Columns before the size in the index of large rows. */
const LISTS: Readonly<Record<SizedTable, readonly string[]>> = {
  contacts: [],
  events: ['contact_id'],
  contact_changes: ['contact_id'],
  domains: [],
  addresses: ['domain_uuid'],
};

/** Limits the text that a search reads, and adds indexes of large rows, to limit the size of a page (../pageSize.ts). */
export const boundedLists: Migration = async (trx) => {
  await shortenSearchKeys(trx);
  await trx.schema
    .alterTable('domains')
    .addColumn('record_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`
    update domains set record_bytes = (
      select sum(octet_length(type) + octet_length(name) + octet_length(value) + 60) from dns_records
      where workspace_id = domains.workspace_id and domain_uuid = domains.uuid
    ) where exists (
      select 1 from dns_records where workspace_id = domains.workspace_id and domain_uuid = domains.uuid
    )`.execute(trx);
  for (const [table, keys] of Object.entries(LISTS) as [SizedTable, readonly string[]][]) {
    const columns = sql.join([...['workspace_id', ...keys].map((key) => sql.ref(key)), sizeOf(table)]);
    await sql`
      create index ${sql.ref(`${table}_large`)} on ${sql.table(table)} (${columns})
      where ${sizeOf(table)} > ${sql.lit(LARGE_ROW_BYTES)}`.execute(trx);
  }
};

/** Only for contacts that may have a longer text. Their ids are read from the index alone. */
async function shortenSearchKeys(trx: Kysely<Tables>): Promise<void> {
  const { rows: workspaces } = await sql<{ id: number; identity_field: string | null }>`
    select id, identity_field from workspaces`.execute(trx);
  for (const { id, identity_field } of workspaces) {
    const searched = identity_field === null ? SEARCHED : [...SEARCHED, identity_field];
    const { rows: long } = await sql<{ id: number }>`
      select id from contacts where workspace_id = ${id} and octet_length(search_key) > ${sql.lit(SEARCHED_MAX)}`.execute(
      trx,
    );
    for (const ids of chunks(
      long.map((row) => row.id),
      CONTACTS,
    )) {
      const { rows } = await sql<{ id: number; attributes: string; search_key: string }>`
        select id, attributes, search_key from contacts
        where workspace_id = ${id} and id in (${sql.join(ids)})`.execute(trx);
      for (const row of rows) {
        const attributes = JSON.parse(row.attributes) as Record<string, unknown>;
        const key = searched.map((field) => searchKey(foldText(textOf(attributes[field])))).join('\n');
        if (key === row.search_key) continue;
        // Unless it was changed since: on PostgreSQL an older process may still be running.
        await sql`
          update contacts set search_key = ${key}
          where workspace_id = ${id} and id = ${row.id} and search_key = ${row.search_key}`.execute(trx);
      }
    }
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
