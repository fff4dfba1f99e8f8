import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Bytes of a row of the list of reports, of a domain's history, and of the list of changes, as in pageSize.ts. */
const REPORT_SIZE = `verdict_bytes + record_bytes + octet_length(domain) + octet_length(provider) + octet_length(status)
    + octet_length(verification) + octet_length(mail_from_domain)`;
const SPAN_SIZE = 'octet_length(finding) + octet_length(evidence) + coalesce(octet_length(previous_found), 0)';
const CHANGE_SIZE = 'octet_length(finding) + coalesce(octet_length(previous_found), 0)';

/** Columns and constraints of the tables of step 2: what domains were found to be, who is told, and who may look. */
export const MEMORY_TABLES = {
  domain_spans: `
    workspace_id bigint not null, domain_uuid text not null, subject text not null, started_at bigint not null,
    ended_at bigint, kind text not null, result text not null, code text not null, turn text, cause text,
    previous_result text, previous_code text, previous_found text, previous_ended_at bigint,
    is_change integer not null, finding text not null, evidence text not null,
    constraint domain_spans_by_time primary key (workspace_id, domain_uuid, subject, started_at),
    constraint span_domain foreign key (workspace_id, domain_uuid) references domains (workspace_id, uuid)`,
  incidents: `
    workspace_id bigint not null, uuid text not null, domain_uuid text not null, subject text not null,
    kind text not null, state text not null, code text not null, turn text, cause text, severity text not null,
    failed_at bigint not null, opened_at bigint, right_at bigint, closed_at bigint, is_unstable integer not null default 0,
    constraint incidents_by_uuid primary key (workspace_id, uuid),
    constraint incident_domain foreign key (workspace_id, domain_uuid) references domains (workspace_id, uuid)`,
  acceptances: `
    workspace_id bigint not null, uuid text not null, domain_uuid text not null, subject text not null,
    code text not null, found text not null, reason text not null, accepted_at bigint not null,
    until bigint not null, ended_at bigint, actor_kind text not null, actor text not null, actor_name text,
    constraint acceptances_by_uuid primary key (workspace_id, uuid),
    constraint acceptance_domain foreign key (workspace_id, domain_uuid) references domains (workspace_id, uuid)`,
  destinations: `
    workspace_id bigint not null references workspaces (id), uuid text not null, kind text not null, name text not null,
    address text not null, secrets text not null, rules text not null, disabled_at bigint, disabled_reason text,
    fallback_uuid text, log_number bigint not null default 0, summary_at bigint, created_at bigint not null, updated_at bigint not null,
    constraint destinations_by_uuid primary key (workspace_id, uuid)`,
  messages: `
    workspace_id bigint not null references workspaces (id), uuid text not null, created_at bigint not null,
    kind text not null, about text not null, incident_uuid text, contact_uuid text, log_number bigint,
    planned_at bigint, body text not null,
    constraint messages_by_uuid primary key (workspace_id, uuid)`,
  deliveries: `
    workspace_id bigint not null, message_uuid text not null, destination_uuid text not null, state text not null,
    created_at bigint not null, attempts integer not null default 0, next_at bigint, ended_at bigint,
    last_error text, told_by text, instead_of text, refusals integer not null default 0,
    constraint deliveries_by_message primary key (workspace_id, message_uuid, destination_uuid),
    constraint delivery_message foreign key (workspace_id, message_uuid) references messages (workspace_id, uuid)`,
  shared_links: `
    workspace_id bigint not null references workspaces (id), uuid text not null, hash text not null,
    domain_uuid text not null, created_at bigint not null, expires_at bigint not null, revoked_at bigint,
    opened_at bigint, actor text not null, actor_name text,
    constraint shared_links_by_uuid primary key (workspace_id, uuid)`,
} as const;

/** Columns of older tables, as in `MEMORY_TABLES`. */
export const MEMORY_COLUMNS = [
  'workspaces add column warning_domain_count bigint not null default 0',
  'workspaces add column address_count bigint not null default 0',
  ...['full_key', 'verification_key', 'domain_key'].map(
    (name) => `addresses add column ${name} text not null default ''`,
  ),
  'domains add column sends_bulk integer not null default 1',
  'domains add column checked_at bigint',
  'domains add column changed_at bigint',
  'domains add column urgency bigint not null default 0',
  'domains add column verdict_bytes bigint not null default 0',
];

/** What addresses are sorted by, as in domains/listAddresses.ts. */
const ADDRESS_ORDERS = ['full_key', 'domain_key', 'created_at'];
const ADDRESS_SIZE = `octet_length(full_address) + octet_length(provider) + octet_length(display_name)
    + octet_length(verification)`;

export const MEMORY_INDEXES = [
  'index domains_by_urgency on domains (workspace_id, urgency desc, name_key, uuid, state)',
  'index domains_by_provider on domains (workspace_id, provider)',
  'index domains_sorted_by_checked_at on domains (workspace_id, coalesce(checked_at, 0), uuid, state)',
  'index domains_sorted_by_changed_at on domains (workspace_id, coalesce(changed_at, 0), uuid, state)',
  `index domains_by_report_size on domains (workspace_id, (${REPORT_SIZE}))`,
  // With `ended_at`, so that SQLite prefers it for several domains too.
  'index domain_spans_current on domain_spans (workspace_id, domain_uuid, ended_at) where ended_at is null',
  ...['code', 'turn', 'cause'].map(
    (column) =>
      `index domain_spans_by_${column} on domain_spans (workspace_id, ${column}, domain_uuid, subject) where ended_at is null`,
  ),
  'index domain_spans_by_start on domain_spans (workspace_id, domain_uuid, started_at, subject)',
  'index domain_spans_by_end on domain_spans (workspace_id, ended_at) where ended_at is not null',
  `index domain_changes on domain_spans (workspace_id, started_at, domain_uuid, subject, result, previous_result, turn)
    where is_change = 1`,
  `index domain_spans_large on domain_spans (workspace_id, domain_uuid, (${SPAN_SIZE})) where (${SPAN_SIZE}) > 4096`,
  `index domain_changes_large on domain_spans (workspace_id, (${CHANGE_SIZE})) where (${CHANGE_SIZE}) > 4096 and is_change = 1`,
  `index incidents_active_by_domain on incidents (workspace_id, domain_uuid) where state <> 'closed' or is_unstable = 1`,
  'index incidents_by_time on incidents (workspace_id, failed_at, uuid, state)',
  'index incidents_by_end on incidents (workspace_id, closed_at) where closed_at is not null',
  'index acceptances_by_end on acceptances (workspace_id, ended_at) where ended_at is not null',
  'index acceptances_by_time on acceptances (workspace_id, accepted_at, uuid) where ended_at is null',
  'index messages_by_time on messages (workspace_id, created_at)',
  ...ADDRESS_ORDERS.map(
    (column) => `index addresses_sorted_by_${column} on addresses (workspace_id, ${column}, uuid, verification_key)`,
  ),
  'index addresses_sorted_by_verification on addresses (workspace_id, verification_key, uuid)',
  `index addresses_largest on addresses (workspace_id, (${ADDRESS_SIZE})) where (${ADDRESS_SIZE}) > 4096`,
  'index incidents_by_subject on incidents (workspace_id, domain_uuid, subject, failed_at)',
  `index incidents_active on incidents (workspace_id, cause) where state <> 'closed'`,
  'index acceptances_active on acceptances (workspace_id, domain_uuid, subject) where ended_at is null',
  'index messages_unplanned on messages (workspace_id, created_at) where planned_at is null',
  'index messages_by_incident on messages (workspace_id, incident_uuid) where incident_uuid is not null',
  'index messages_by_contact on messages (workspace_id, contact_uuid) where contact_uuid is not null',
  'index deliveries_told_by on deliveries (workspace_id, told_by, destination_uuid) where told_by is not null',
  'index messages_by_subject on messages (workspace_id, about, created_at)',
  'index deliveries_due on deliveries (workspace_id, next_at) where next_at is not null',
  // With `message_uuid`, so that a claim reads only the first ones.
  'index deliveries_due_by_destination on deliveries (workspace_id, destination_uuid, next_at, message_uuid) where next_at is not null',
  'index deliveries_by_destination on deliveries (workspace_id, destination_uuid, created_at)',
  'unique index shared_links_by_hash on shared_links (hash)',
  'index shared_links_by_domain on shared_links (workspace_id, domain_uuid, created_at)',
];

/** Addresses whose keys are written at once. */
const FILLED_AT_ONCE = 1000;

const fold = (text: string, max: number) => Array.from(text.toLowerCase()).slice(0, max).join('');

/** Writes the new columns. SQL can't fold addresses: engines disagree on letters beyond ASCII. */
export async function fillColumns(trx: Kysely<Tables>): Promise<void> {
  await sql`update domains set urgency = case state when 'failing' then 30000 when 'pending' then 20000 else 0 end`.execute(
    trx,
  );
  await sql`update workspaces set address_count = (
    select count(*) from addresses where workspace_id = workspaces.id)`.execute(trx);
  type Row = { workspace_id: number; uuid: string; full_address: string; verification: string; name_key: string };
  let last: Pick<Row, 'workspace_id' | 'uuid'> = { workspace_id: 0, uuid: '' };
  for (;;) {
    const { rows } = await sql<Row>`
      select addresses.workspace_id, addresses.uuid, full_address, addresses.verification, name_key from addresses
      join domains on domains.workspace_id = addresses.workspace_id and domains.uuid = domain_uuid
      where (addresses.workspace_id, addresses.uuid) > (${last.workspace_id}, ${last.uuid})
      order by addresses.workspace_id, addresses.uuid limit ${sql.lit(FILLED_AT_ONCE)}`.execute(trx);
    for (const { workspace_id, uuid, full_address, verification, name_key } of rows) {
      await sql`
        update addresses set full_key = ${fold(full_address, 256)}, verification_key = ${fold(verification, 200)},
          domain_key = ${name_key} where workspace_id = ${workspace_id} and uuid = ${uuid}`.execute(trx);
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end;
  }
}
