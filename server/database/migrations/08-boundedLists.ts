import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Migration } from './migration.ts';
import type { Tables } from '../tables.ts';

/** Contacts that are read at once. Each may have 1.6 MB of attributes. */
const CONTACTS = 50;
const SEARCHED = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];
const SEARCHED_MAX = 256;
const LARGE_ROW_BYTES = 4096;
/** Of the index of large rows: its columns before the size, and the size. */
const LISTS: readonly (readonly [table: string, keys: readonly string[], size: string])[] = [
  ['contacts', [], 'octet_length(attributes)'],
  ['events', ['contact_id'], 'octet_length(attributes)'],
  ['contact_changes', ['contact_id'], 'octet_length(changes)'],
  [
    'domains',
    [],
    `record_bytes + octet_length(domain) + octet_length(provider) + octet_length(status)
    + octet_length(verification) + octet_length(mail_from_domain)`,
  ],
  [
    'addresses',
    ['domain_uuid'],
    `octet_length(full_address) + octet_length(provider) + octet_length(display_name)
    + octet_length(verification)`,
  ],
];

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
  for (const [table, keys, text] of LISTS) {
    const size = sql.raw(`(${text})`);
    const columns = sql.join([...['workspace_id', ...keys].map((key) => sql.ref(key)), size]);
    await sql`
      create index ${sql.ref(`${table}_large`)} on ${sql.table(table)} (${columns})
      where ${size} > ${sql.lit(LARGE_ROW_BYTES)}`.execute(trx);
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
        const key = searched.map((field) => searchKey(textOf(attributes[field]))).join('\n');
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

/** In characters, of which each has at most two UTF-16 units. */
function searchKey(text: string): string {
  return Array.from(text.toLowerCase().slice(0, 2 * SEARCHED_MAX))
    .slice(0, SEARCHED_MAX)
    .join('');
}
