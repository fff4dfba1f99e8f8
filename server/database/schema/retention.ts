// Step 13: how long events and the log are kept, and when the last backup and verification were.

export const RETENTION_TABLES = {
  retention: `
    workspace_id bigint not null, event_days integer, log_days integer, next_at bigint,
    run_line bigint, events_before bigint not null default 0, log_before bigint not null default 0,
    event_after bigint, line_after bigint not null default 0, line_to bigint not null default 0,
    deleted_events bigint not null default 0, deleted_lines bigint not null default 0,
    number bigint not null default 0, hash text not null default '', at bigint not null default 0,
    kept bigint not null default 0, kept_hash text not null default '',
    signing_key text not null default '', mac text not null default '',
    constraint retention_by_workspace primary key (workspace_id)`,
  backups: 'id integer primary key, written_at bigint not null',
} as const;

export const VERIFIED_COLUMN = 'workspaces add column verified_at bigint';
