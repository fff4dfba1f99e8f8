// Step 7: lists of contacts that are kept by name.

export const VIEW_TABLES = {
  saved_views: `
    workspace_id bigint not null, uuid text not null, name text not null, query text not null,
    shared integer not null, actor_kind text not null, actor text not null, actor_name text, actor_email text,
    constraint saved_views_by_uuid primary key (workspace_id, uuid)`,
} as const;

export const VIEW_INDEXES = [
  'index saved_views_by_actor on saved_views (workspace_id, actor)',
  'index saved_views_shared on saved_views (workspace_id) where shared = 1',
];
