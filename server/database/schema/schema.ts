import { type Kysely, sql } from 'kysely';
import { VALUE_COLUMN, VALUE_INDEXES, VALUE_TABLES } from './attributeValues.ts';
import { fillColumns, MEMORY_COLUMNS, MEMORY_INDEXES, MEMORY_TABLES } from './domainMemory.ts';
import { HEAD_TABLES, MOVE_HEADS, REFER_TO_HEADS } from './heads.ts';
import { RETENTION_TABLES, VERIFIED_COLUMN } from './retention.ts';
import { removeSignless } from './signless.ts';
import { MOVE_COLUMNS, REFUSE_READ_ONLY } from './moves.ts';
import { RECORDED_INDEX, RUN_COLUMNS, RUN_INDEXES, RUN_TABLES } from './runs.ts';
import { fillSuppressions, SUPPRESSION_COLUMNS, SUPPRESSION_INDEXES, SUPPRESSION_TABLES } from './suppressions.ts';
import type { Tables } from './tables.ts';
import { VIEW_INDEXES, VIEW_TABLES } from './savedViews.ts';

/** One step of the schema, which runs in a transaction, on PostgreSQL (`isServer`) or SQLite. A released step never changes. */
export type Migration = (trx: Kysely<Tables>, isServer: boolean) => Promise<void>;

/** A step that was done, of how many, and the milliseconds that it took. */
export type MigratedStep = { version: number; of: number; ms: number };

/** Tables of later steps. */
type LaterTable =
  | keyof typeof MEMORY_TABLES
  | keyof typeof SUPPRESSION_TABLES
  | keyof typeof RUN_TABLES
  | keyof typeof VALUE_TABLES
  | keyof typeof VIEW_TABLES
  | keyof typeof HEAD_TABLES
  | keyof typeof RETENTION_TABLES;
/** Dropped by a later step. */
type FormerTable = 'unsubscribe_counts';
/** Columns and constraints. */
const TABLES: Record<Exclude<keyof Tables, 'schema_versions' | LaterTable> | FormerTable, string> = {
  workspaces: `
    id bigint primary key, uuid text not null unique, name text not null, identity_field text,
    suspended integer not null default 0, created_at bigint not null, next_contact_id bigint not null default 1,
    mark bigint not null default 0, search_mark bigint not null default 0,
    contact_count bigint not null default 0, subscribed_count bigint not null default 0,
    domain_count bigint not null default 0, pending_domain_count bigint not null default 0,
    failing_domain_count bigint not null default 0,
    log_count bigint not null default 0, log_hash text not null default '', log_at bigint not null default 0,
    erasure_key text not null default ''`,
  tokens: `
    hash text primary key, workspace_id bigint not null references workspaces (id), uuid text not null,
    name text not null, role text not null default 'admin', created_at bigint not null, revoked_at bigint,
    expires_at bigint, used_at bigint,
    constraint tokens_by_uuid unique (workspace_id, uuid)`,
  people: `
    uuid text primary key, issuer text not null, subject text not null, email text not null, name text,
    created_at bigint not null,
    constraint people_by_subject unique (issuer, subject)`,
  members: `
    workspace_id bigint not null references workspaces (id), uuid text not null, person_uuid text,
    email text not null, email_key text not null, search_key text not null, name text, role text not null,
    source text not null, created_at bigint not null, last_seen_at bigint,
    constraint members_by_uuid primary key (workspace_id, uuid)`,
  sessions: `
    hash text primary key, uuid text not null default '', workspace_id bigint, token_uuid text, person_uuid text,
    created_at bigint not null, seen_at bigint not null, expires_at bigint not null, stated_workspace text,
    asked_at bigint not null default 0, ask_again_at bigint not null default 0, refresh_token text,
    constraint session_token foreign key (workspace_id, token_uuid) references tokens (workspace_id, uuid),
    constraint session_owner check (
      (person_uuid is null) = (workspace_id is not null) and (person_uuid is null) = (token_uuid is not null))`,
  sign_in_codes: `
    hash text primary key, workspace_id bigint not null, token_uuid text not null, expires_at bigint not null,
    used_at bigint,
    constraint code_token foreign key (workspace_id, token_uuid) references tokens (workspace_id, uuid)`,
  contacts: `
    workspace_id bigint not null references workspaces (id), id bigint not null, uuid text not null,
    subscribed integer not null, attributes text not null, created_at bigint not null, updated_at bigint not null,
    change_count bigint not null default 0, email_key text not null, first_name_key text not null,
    last_name_key text not null, company_key text not null, search_key text not null,
    constraint contacts_by_id primary key (workspace_id, id),
    constraint contacts_by_uuid unique (workspace_id, uuid)`,
  identities: `
    workspace_id bigint not null, kind text not null, key text not null, contact_id bigint not null, digits text,
    constraint identities_by_key primary key (workspace_id, kind, key),
    constraint identity_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id)`,
  // No foreign key: an erasure leaves events without their contact until they are deleted.
  events: `
    workspace_id bigint not null, contact_id bigint not null, created_at bigint not null, uuid text not null,
    event_name text not null, attributes text not null,
    constraint events_by_time primary key (workspace_id, contact_id, created_at, uuid)`,
  event_names: `
    workspace_id bigint not null, contact_id bigint not null, event_name text not null, name_key text not null,
    count bigint not null,
    constraint event_names_by_name primary key (workspace_id, contact_id, event_name)`,
  changes: `
    workspace_id bigint not null, number bigint not null, uuid text not null, created_at bigint not null,
    action text not null, actor_kind text not null, actor text not null, actor_name text, actor_email text,
    actor_subject text, contact_uuid text, contact_number bigint, subscribed integer, request_id text, run text,
    size bigint not null, values_digest text, hash text not null, erasure text,
    constraint changes_by_number primary key (workspace_id, number)`,
  change_values: `
    workspace_id bigint not null, number bigint not null, salt text not null, summary text not null,
    changes text not null,
    constraint change_values_by_number primary key (workspace_id, number)`,
  erasures: `
    workspace_id bigint not null, contact_id bigint not null, contact_uuid text not null, reference text,
    identity_count bigint not null default 0, erased_at bigint not null, finished_at bigint, lifted_at bigint,
    constraint erasures_by_contact primary key (workspace_id, contact_id)`,
  erased_identities: `
    workspace_id bigint not null, hash text not null, contact_id bigint not null,
    constraint erased_identities_by_hash primary key (workspace_id, hash)`,
  unsubscribe_counts: `
    workspace_id bigint not null, period bigint not null, actor text not null, count bigint not null,
    constraint unsubscribe_counts_by_period primary key (workspace_id, period, actor)`,
  domains: `
    workspace_id bigint not null references workspaces (id), uuid text not null, name text not null,
    name_key text not null, domain text not null, verified integer not null, provider text not null,
    status text not null, verification text not null, mail_from_domain text not null,
    mail_from_verified integer not null, created_at bigint not null, updated_at bigint not null,
    state text not null default 'healthy', verdicts_at bigint not null default 0,
    next_check_at bigint not null default 0, address_count bigint not null default 0,
    record_bytes bigint not null default 0,
    constraint domains_by_uuid primary key (workspace_id, uuid),
    constraint domains_by_name unique (workspace_id, name_key)`,
  dns_records: `
    workspace_id bigint not null, domain_uuid text not null, position integer not null, type text not null,
    name text not null, value text not null, is_valid integer not null, failed_at bigint,
    constraint dns_records_by_position primary key (workspace_id, domain_uuid, position),
    constraint record_domain foreign key (workspace_id, domain_uuid) references domains (workspace_id, uuid)`,
  addresses: `
    workspace_id bigint not null, uuid text not null, domain_uuid text not null, address text not null,
    full_address text not null, address_key text not null, provider text not null, display_name text not null,
    verification text not null, created_at bigint not null, updated_at bigint not null,
    constraint addresses_by_uuid primary key (workspace_id, uuid),
    constraint addresses_by_key unique (workspace_id, domain_uuid, address_key),
    constraint address_domain foreign key (workspace_id, domain_uuid) references domains (workspace_id, uuid)`,
  allowances: `key text primary key, ends_at bigint not null, taken bigint not null, granted bigint not null`,
};

/** Tables that SQLite stores in the order of their primary keys. */
const ORDERED: ReadonlySet<string> = new Set([
  'members',
  'identities',
  'events',
  'event_names',
  'changes',
  'change_values',
  'erasures',
  'erased_identities',
  'unsubscribe_counts',
  'suppression_counts',
  'dns_records',
  'run_contacts',
  'attribute_values',
]);

/** What contacts are sorted by, as in contacts/listContacts.ts. */
const CONTACT_ORDERS = {
  email: 'email_key',
  first_name: 'first_name_key',
  last_name: 'last_name_key',
  company: 'company_key',
  creation: 'created_at',
  update: 'updated_at',
};
/** What domains are sorted by, as in domains/store.ts. */
const DOMAIN_ORDERS = {
  ...Object.fromEntries(['created_at', 'updated_at', 'verified', 'mail_from_verified'].map((name) => [name, name])),
  name: 'name_key',
  ...Object.fromEntries(
    ['domain', 'provider', 'status', 'verification', 'mail_from_domain'].map((name) => [
      name,
      `lower(substr(${name}, 1, 200))`,
    ]),
  ),
};
/** Rows of more than 4 KiB have an index of their own: columns before their size, and the size, as in pageSize.ts. */
const LARGE_ROWS = {
  contacts: ['workspace_id', 'octet_length(attributes)'],
  events: ['workspace_id, contact_id', 'octet_length(attributes)'],
  changes: ['workspace_id, contact_uuid', 'size'],
  domains: [
    'workspace_id',
    `record_bytes + octet_length(domain) + octet_length(provider) + octet_length(status)
    + octet_length(verification) + octet_length(mail_from_domain)`,
  ],
  addresses: [
    'workspace_id, domain_uuid',
    `octet_length(full_address) + octet_length(provider) + octet_length(display_name)
    + octet_length(verification)`,
  ],
};

const INDEXES = [
  'unique index members_by_person on members (person_uuid, workspace_id) where person_uuid is not null',
  'index members_by_email on members (email_key, workspace_id)',
  'unique index sessions_by_uuid on sessions (uuid)',
  'index sessions_by_person on sessions (person_uuid, created_at) where person_uuid is not null',
  ...Object.entries(CONTACT_ORDERS).map(
    ([name, column]) => `index contacts_by_${name} on contacts (workspace_id, ${column}, uuid, subscribed, id)`,
  ),
  'index contacts_by_subscription on contacts (workspace_id, subscribed, uuid, id)',
  'index identities_by_digits on identities (workspace_id, digits) where digits is not null',
  'index events_by_name on events (workspace_id, contact_id, event_name, created_at, uuid)',
  'unique index events_by_uuid on events (workspace_id, uuid)',
  'unique index changes_by_uuid on changes (workspace_id, uuid)',
  'index changes_by_actor on changes (workspace_id, actor, number, action)',
  'index changes_by_action on changes (workspace_id, action, number)',
  'unique index changes_by_contact on changes (workspace_id, contact_uuid, contact_number) where contact_uuid is not null',
  'index changes_by_request on changes (workspace_id, request_id) where request_id is not null',
  'index changes_by_run on changes (workspace_id, run, number) where run is not null',
  'unique index erasures_by_uuid on erasures (workspace_id, contact_uuid)',
  'index erasures_unfinished on erasures (workspace_id) where finished_at is null',
  'index domains_by_check on domains (workspace_id, next_check_at)',
  'index domains_by_state on domains (workspace_id, state, uuid)',
  ...Object.entries(DOMAIN_ORDERS).map(
    ([name, by]) => `index domains_sorted_by_${name} on domains (workspace_id, ${by}, uuid, state)`,
  ),
  'index addresses_by_time on addresses (workspace_id, domain_uuid, created_at, uuid)',
  ...Object.entries(LARGE_ROWS).map(
    ([table, [keys, size]]) => `index ${table}_large on ${table} (${keys}, (${size})) where (${size}) > 4096`,
  ),
];

const LOG_REFUSALS = ['update', 'delete'].map(
  (act) => `create trigger changes_refuse_${act} before ${act} on changes begin
    select raise(abort, 'The log is append-only.'); end`,
);

/** Without the text, which is in the contacts (docs/decisions/0028-search-index.md). A search of a few contacts scans an index on SQLite. */
const FILE_ONLY = [
  `create virtual table contact_search using fts5(
    text, content='', contentless_delete=1, tokenize="trigram case_sensitive 1")`,
  // The search index is merged in small steps only: an automatic merge might rewrite all of it.
  `insert into contact_search (contact_search, rank) values ('automerge', 0)`,
  // With a step in each write there are never so many. With 2,000 a write would fail.
  `insert into contact_search (contact_search, rank) values ('crisismerge', 1000)`,
  // With 16 segments a search reads more of them, and with 4 each text is written again more often.
  `insert into contact_search (contact_search, rank) values ('usermerge', 8)`,
  'create index contacts_by_search on contacts (workspace_id, search_key, subscribed, id)',
  ...LOG_REFUSALS,
];

const SETTING = `current_setting('sendroom.workspace', true)`;
/** Takes a statement for a few rows the least time. No workspace has the number 0. */
const isWanted = (owner: string) => `(${owner} = nullif(nullif(${SETTING}, ''), '*')::bigint or ${SETTING} = '*')`;
/** Takes the least time for each row, for tables that searches scan: the subquery runs once. It is null for all workspaces, and 0 for none. */
const isWantedInScan = `coalesce(workspace_id = (
  select case ${SETTING} when '*' then null else coalesce(nullif(${SETTING}, ''), '0')::bigint end), true)`;
const SCANNED: ReadonlySet<string> = new Set(['contacts', 'domains', 'addresses', 'attribute_values']);

/**
 * Lets a statement reach the rows of the workspace that the setting `sendroom.workspace` names, all with `*`, and none without, also for
 * the owner of the tables (docs/decisions/0025-row-level-security.md).
 */
function policyOf(table: string): string[] {
  const owned = SCANNED.has(table) ? isWantedInScan : isWanted(table === 'workspaces' ? 'id' : 'workspace_id');
  const condition = table === 'people' ? `(${SETTING} = '*')` : owned;
  return [
    `alter table ${table} enable row level security, force row level security`,
    // The planner takes `is not null` to hold for every row: else it would expect the fewer rows, the more workspaces there are.
    `create policy workspace on ${table} using (nullif(${condition}, false) is not null)`,
  ];
}

/**
 * Its rows are written by their workspace only. They have no text, and are read by all: under a policy that compares them, PostgreSQL would
 * read each row before it compares trigrams, so it would never use their index.
 */
const SEARCH_ON_SERVER = [
  `create table contact_search (
    workspace_id bigint not null, contact_id bigint not null, trigrams integer[] not null,
    constraint contact_search_by_contact primary key (workspace_id, contact_id))`,
  // A short list of rows that are not in it yet keeps searches fast.
  'create index contact_search_by_trigrams on contact_search using gin (trigrams) with (gin_pending_list_limit = 256)',
  'alter table contact_search enable row level security, force row level security',
  'create policy searched on contact_search for select using (true)',
  `create policy added on contact_search for insert with check (${isWanted('workspace_id')})`,
  `create policy changed on contact_search for update using (${isWanted('workspace_id')})`,
  `create policy removed on contact_search for delete using (${isWanted('workspace_id')})`,
];

/** On PostgreSQL text is compared byte by byte, as in SQLite. */
const typed = (columns: string, isServer: boolean) =>
  isServer ? columns.replaceAll(/\btext\b/g, 'text collate "C"') : columns;

async function createTables(trx: Kysely<Tables>, isServer: boolean, tables: Readonly<Record<string, string>>) {
  for (const [name, columns] of Object.entries(tables)) {
    // Its rows may be lost in a crash.
    const unlogged = isServer && name === 'allowances' ? 'unlogged' : '';
    const ordered = !isServer && ORDERED.has(name) ? 'without rowid' : '';
    await sql.raw(`create ${unlogged} table ${name} (${typed(columns, isServer)}) ${ordered}`).execute(trx);
  }
}

/** The first schema. */
const baseline: Migration = async (trx, isServer) => {
  const run = (statement: string) => sql.raw(statement).execute(trx);
  await createTables(trx, isServer, TABLES);
  for (const index of INDEXES) await run(`create ${index}`);
  for (const statement of isServer ? SEARCH_ON_SERVER : FILE_ONLY) await run(statement);
  if (!isServer) return;
  const owned = Object.keys(TABLES).filter((table) => table !== 'allowances');
  for (const statement of owned.flatMap(policyOf)) await run(statement);
  await revokeChanges(trx);
};

/** What domains were found to be, and who is told. */
const memory: Migration = async (trx, isServer) => {
  const run = (statement: string) => sql.raw(statement).execute(trx);
  for (const column of MEMORY_COLUMNS) await run(`alter table ${typed(column, isServer)}`);
  await fillColumns(trx);
  await createTables(trx, isServer, MEMORY_TABLES);
  for (const index of MEMORY_INDEXES) await run(`create ${index}`);
  if (isServer) for (const statement of Object.keys(MEMORY_TABLES).flatMap(policyOf)) await run(statement);
};

/** Why contacts are unsubscribed. */
const suppressions: Migration = async (trx, isServer) => {
  const run = (statement: string) => sql.raw(statement).execute(trx);
  for (const column of SUPPRESSION_COLUMNS) await run(`alter table ${typed(column, isServer)}`);
  await createTables(trx, isServer, SUPPRESSION_TABLES);
  await fillSuppressions(trx);
  for (const index of SUPPRESSION_INDEXES) await run(`create ${index}`);
  if (isServer) for (const statement of Object.keys(SUPPRESSION_TABLES).flatMap(policyOf)) await run(statement);
};

/** Bulk runs. */
const runs: Migration = async (trx, isServer) => {
  const run = (statement: string) => sql.raw(statement).execute(trx);
  for (const column of RUN_COLUMNS) await run(`alter table ${column}`);
  await createTables(trx, isServer, RUN_TABLES);
  for (const index of RUN_INDEXES) await run(`create ${index}`);
  if (isServer) for (const statement of Object.keys(RUN_TABLES).flatMap(policyOf)) await run(statement);
};

/** Events that unsubscribe their contact. */
const eventRules: Migration = async (trx, isServer) => {
  await sql
    .raw(`alter table ${typed(`workspaces add column event_rules text not null default ''`, isServer)}`)
    .execute(trx);
};

/** What contacts are filtered by. */
const attributeValues: Migration = async (trx, isServer) => {
  const run = (statement: string) => sql.raw(statement).execute(trx);
  await run(`alter table ${typed(VALUE_COLUMN, isServer)}`);
  await createTables(trx, isServer, VALUE_TABLES);
  for (const index of VALUE_INDEXES) await run(`create ${index}`);
  if (isServer) for (const statement of Object.keys(VALUE_TABLES).flatMap(policyOf)) await run(statement);
};

/** Lists of contacts by name. */
const savedViews: Migration = async (trx, isServer) => {
  const run = (statement: string) => sql.raw(statement).execute(trx);
  await createTables(trx, isServer, VIEW_TABLES);
  for (const index of VIEW_INDEXES) await run(`create ${index}`);
  if (isServer) for (const statement of Object.keys(VIEW_TABLES).flatMap(policyOf)) await run(statement);
};

/** Runs that import contacts. */
const imports: Migration = async (trx, isServer) => {
  await sql.raw(`alter table ${typed('runs add column imported text', isServer)}`).execute(trx);
};

/** Stronger reasons that are recorded later, such as complaints. */
const recordedReasons: Migration = async (trx) => {
  await sql.raw(`create ${RECORDED_INDEX}`).execute(trx);
};

/** The overview counts contacts. */
const dropUnsubscribeCounts: Migration = async (trx) => {
  await sql.raw('drop table unsubscribe_counts').execute(trx);
};

/** What each write of a workspace changes. */
const heads: Migration = async (trx, isServer) => {
  await createTables(trx, isServer, HEAD_TABLES);
  for (const statement of MOVE_HEADS) await sql.raw(statement).execute(trx);
  if (!isServer) return;
  for (const statement of [...policyOf('workspace_heads'), ...REFER_TO_HEADS]) await sql.raw(statement).execute(trx);
};

/** How long events and the log are kept, and when the last backup and verification were. */
const retention: Migration = async (trx, isServer) => {
  await sql.raw(`alter table ${VERIFIED_COLUMN}`).execute(trx);
  await createTables(trx, isServer, RETENTION_TABLES);
  if (isServer) for (const statement of policyOf('retention')) await sql.raw(statement).execute(trx);
};

/** Workspaces that move to another database. */
const moves: Migration = async (trx, isServer) => {
  for (const column of MOVE_COLUMNS) await sql.raw(`alter table ${typed(column, isServer)}`).execute(trx);
  if (isServer) await sql.raw(REFUSE_READ_ONLY).execute(trx);
};

/** The steps of the schema. The version of a schema is the number of steps that were applied; a released step never changes. */
export const migrations: Migration[] = [
  baseline,
  memory,
  suppressions,
  runs,
  eventRules,
  attributeValues,
  savedViews,
  imports,
  recordedReasons,
  dropUnsubscribeCounts,
  removeSignless,
  heads,
  retention,
  moves,
];

/** The log is append-only: roles that have been granted more by default lose it. */
async function revokeChanges(trx: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ role: string }>`
    select distinct case grantee when 0 then 'public' else grantee::regrole::text end as role
    from pg_class cross join lateral aclexplode(coalesce(relacl, acldefault('r', relowner))) as granted
    where pg_class.oid = 'changes'::regclass and privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')`.execute(trx);
  for (const { role } of rows) {
    await sql`revoke update, delete, truncate on changes from ${sql.raw(role)}`.execute(trx);
  }
}
