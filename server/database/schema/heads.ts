// Step 12: what each write of a workspace changes, in a row of its own.

/** Columns that move from `workspaces`, in the order of both tables. */
const MOVED = [
  ['next_contact_id', 'bigint not null default 1'],
  ['mark', 'bigint not null default 0'],
  ['search_mark', 'bigint not null default 0'],
  ['contact_count', 'bigint not null default 0'],
  ['subscribed_count', 'bigint not null default 0'],
  ['domain_count', 'bigint not null default 0'],
  ['pending_domain_count', 'bigint not null default 0'],
  ['failing_domain_count', 'bigint not null default 0'],
  ['warning_domain_count', 'bigint not null default 0'],
  ['address_count', 'bigint not null default 0'],
  ['log_count', 'bigint not null default 0'],
  ['log_hash', `text not null default ''`],
  ['log_at', 'bigint not null default 0'],
  ['erasure_key', `text not null default ''`],
  ['approval_above', 'bigint'],
  ['attribute_indexes', `text not null default '[]'`],
] as const;

const NAMES = MOVED.map(([name]) => name).join(', ');

export const HEAD_TABLES = {
  workspace_heads: `
    workspace_id bigint not null primary key, ${MOVED.map((column) => column.join(' ')).join(', ')}`,
} as const;

/** Fills the table, before the columns are dropped. */
export const MOVE_HEADS = [
  `insert into workspace_heads (workspace_id, ${NAMES}) select id, ${NAMES} from workspaces`,
  ...MOVED.map(([name]) => `alter table workspaces drop column ${name}`),
];

/** What is distributed over several machines refers to nothing that isn't. Only on PostgreSQL, because SQLite would have to copy the tables. */
export const REFER_TO_HEADS = ['contacts', 'domains', 'destinations', 'messages'].map(
  (table) => `
    alter table ${table} drop constraint ${table}_workspace_id_fkey,
    add constraint ${table}_workspace_id_fkey foreign key (workspace_id) references workspace_heads (workspace_id)`,
);
