import type { Tables } from './tables.ts';

/** Describes a table, besides its columns. All code that visits tables uses it: a new table doesn't compile without. */
type TableDescription<Name extends keyof Tables> = {
  readonly primaryKey: readonly (keyof Tables[Name] & string)[];
  /** Whose its rows are: content of a workspace, what gives access to one, or nobody's. */
  readonly holds: 'workspace_id' extends keyof Tables[Name] ? 'content' | 'access' : 'system';
  /** Whether `admin move` copies it. */
  readonly isCopied: boolean;
};

/** All tables; each after those that its rows refer to. */
export const TABLE_DESCRIPTIONS: { readonly [Name in keyof Tables]: TableDescription<Name> } = {
  workspaces: { primaryKey: ['id'], holds: 'system', isCopied: true },
  workspace_heads: { primaryKey: ['workspace_id'], holds: 'content', isCopied: true },
  tokens: { primaryKey: ['hash'], holds: 'access', isCopied: true },
  sessions: { primaryKey: ['hash'], holds: 'access', isCopied: true },
  people: { primaryKey: ['uuid'], holds: 'system', isCopied: true },
  members: { primaryKey: ['workspace_id', 'uuid'], holds: 'access', isCopied: true },
  sign_in_codes: { primaryKey: ['hash'], holds: 'access', isCopied: true },
  contacts: { primaryKey: ['workspace_id', 'id'], holds: 'content', isCopied: true },
  identities: { primaryKey: ['workspace_id', 'kind', 'key'], holds: 'content', isCopied: true },
  attribute_values: { primaryKey: ['workspace_id', 'attribute', 'contact_id'], holds: 'content', isCopied: true },
  changes: { primaryKey: ['workspace_id', 'number'], holds: 'content', isCopied: true },
  change_values: { primaryKey: ['workspace_id', 'number'], holds: 'content', isCopied: true },
  retention: { primaryKey: ['workspace_id'], holds: 'content', isCopied: true },
  erasures: { primaryKey: ['workspace_id', 'contact_id'], holds: 'content', isCopied: true },
  erased_identities: { primaryKey: ['workspace_id', 'hash'], holds: 'content', isCopied: true },
  suppression_counts: {
    primaryKey: ['workspace_id', 'reason', 'origin', 'actor'],
    holds: 'content',
    isCopied: true,
  },
  runs: { primaryKey: ['workspace_id', 'uuid'], holds: 'content', isCopied: true },
  run_contacts: { primaryKey: ['workspace_id', 'run', 'contact_uuid'], holds: 'content', isCopied: true },
  saved_views: { primaryKey: ['workspace_id', 'uuid'], holds: 'content', isCopied: true },
  events: { primaryKey: ['workspace_id', 'contact_id', 'created_at', 'uuid'], holds: 'content', isCopied: true },
  event_names: { primaryKey: ['workspace_id', 'contact_id', 'event_name'], holds: 'content', isCopied: true },
  domains: { primaryKey: ['workspace_id', 'uuid'], holds: 'content', isCopied: true },
  dns_records: { primaryKey: ['workspace_id', 'domain_uuid', 'position'], holds: 'content', isCopied: true },
  addresses: { primaryKey: ['workspace_id', 'uuid'], holds: 'content', isCopied: true },
  domain_spans: {
    primaryKey: ['workspace_id', 'domain_uuid', 'subject', 'started_at'],
    holds: 'content',
    isCopied: true,
  },
  incidents: { primaryKey: ['workspace_id', 'uuid'], holds: 'content', isCopied: true },
  acceptances: { primaryKey: ['workspace_id', 'uuid'], holds: 'content', isCopied: true },
  destinations: { primaryKey: ['workspace_id', 'uuid'], holds: 'content', isCopied: true },
  messages: { primaryKey: ['workspace_id', 'uuid'], holds: 'content', isCopied: true },
  deliveries: { primaryKey: ['workspace_id', 'message_uuid', 'destination_uuid'], holds: 'content', isCopied: true },
  shared_links: { primaryKey: ['workspace_id', 'uuid'], holds: 'access', isCopied: true },
  // Ends within a minute.
  allowances: { primaryKey: ['key'], holds: 'system', isCopied: false },
  // Each database has its own.
  backups: { primaryKey: ['id'], holds: 'system', isCopied: false },
  schema_versions: { primaryKey: ['version'], holds: 'system', isCopied: false },
};

/** The tables, in their order, of which `is` holds. */
export function listTables(is: (description: (typeof TABLE_DESCRIPTIONS)[keyof Tables]) => boolean): (keyof Tables)[] {
  return (Object.keys(TABLE_DESCRIPTIONS) as (keyof Tables)[]).filter((name) => is(TABLE_DESCRIPTIONS[name]));
}
