// Step 4: bulk runs, and who they are about.

export const RUN_TABLES = {
  runs: `
    workspace_id bigint not null, uuid text not null, created_at bigint not null, actor_kind text not null,
    actor text not null, actor_name text, actor_email text, digest text, reason text, ticket text,
    entries bigint not null, received bigint not null, missing bigint not null, contact_count bigint not null,
    approved_at bigint, approver text, approver_name text, approver_email text,
    constraint runs_by_uuid primary key (workspace_id, uuid)`,
  // No foreign key to contacts: an erasure deletes these rows.
  run_contacts: `
    workspace_id bigint not null, run text not null, contact_uuid text not null,
    constraint run_contacts_by_run primary key (workspace_id, run, contact_uuid),
    constraint run_of_contact foreign key (workspace_id, run) references runs (workspace_id, uuid)`,
} as const;

export const RUN_COLUMNS = ['workspaces add column approval_above bigint'];

export const RUN_INDEXES = [
  'index runs_by_time on runs (workspace_id, created_at, uuid)',
  'index run_contacts_by_contact on run_contacts (workspace_id, contact_uuid)',
  // Counts what a run changed without its lines.
  `index changes_of_run on changes (workspace_id, run, subscribed, contact_uuid)
    where run is not null and subscribed is not null`,
];

// Step 9: reasons recorded of people who were unsubscribed already.

/** Few lines. */
export const RECORDED_INDEX = `index changes_recorded on changes (workspace_id, run, contact_uuid)
  where action = 'unsubscribe' and subscribed is null`;
