import type { Generated } from 'kysely';
import type { Change } from '#contract/change.ts';
import type { DomainState } from '#contract/domainState.ts';

// Times are whole milliseconds since 1970-01-01T00:00Z, booleans are 0 and 1, JSON is text, UUIDs are lower-case text.
// Every key starts with the workspace, except in tables that are used to find the workspace
// (docs/decisions/0001-storage.md).

/** Branded, so that no other number can be used as one. */
export type WorkspaceId = number & { readonly of: 'workspace' };

/** The 16 counters in a row of event_periods. */
export const COUNTER_COLUMNS = [
  'c0',
  'c1',
  'c2',
  'c3',
  'c4',
  'c5',
  'c6',
  'c7',
  'c8',
  'c9',
  'c10',
  'c11',
  'c12',
  'c13',
  'c14',
  'c15',
] as const;
export type PeriodCounters = Record<(typeof COUNTER_COLUMNS)[number], number>;

export type Tables = {
  workspaces: {
    id: WorkspaceId;
    uuid: string;
    name: string;
    identity_field: string | null;
    suspended: Generated<number>;
    next_contact_id: Generated<number>;
    contact_count: Generated<number>;
    /** How many of the contacts are subscribed. */
    subscribed_count: Generated<number>;
    domain_count: Generated<number>;
    /** How many of the domains are in the state of this name; all others are healthy. */
    pending_domain_count: Generated<number>;
    failing_domain_count: Generated<number>;
    created_at: number;
    /** Changes with each write (writeMark.ts). */
    mark: Generated<number>;
    /** Changes with each write of what contacts are searched and filtered by (searchTotals.ts); 0 before the first. */
    search_mark: Generated<number>;
  };
  tokens: {
    hash: string;
    workspace_id: WorkspaceId;
    uuid: string;
    name: string;
    created_at: number;
    revoked_at: number | null;
  };
  sessions: {
    hash: string;
    workspace_id: WorkspaceId;
    token_uuid: string;
    created_at: number;
    seen_at: number;
    expires_at: number;
    stated_workspace: string | null;
  };
  sign_in_codes: {
    hash: string;
    workspace_id: WorkspaceId;
    token_uuid: string;
    expires_at: number;
    used_at: number | null;
  };
  contacts: {
    workspace_id: WorkspaceId;
    id: number;
    uuid: string;
    subscribed: number;
    attributes: string;
    created_at: number;
    updated_at: number;
    event_count: Generated<number>;
    change_count: Generated<number>;
    /**
     * Folded copies of attributes, written with them: the columns that the list of contacts sorts by (shortened for
     * the index) and searches.
     */
    email_key: string;
    first_name_key: string;
    last_name_key: string;
    company_key: string;
    search_key: string;
  };
  identities: {
    workspace_id: WorkspaceId;
    kind: 'email' | 'phone' | 'custom';
    key: string;
    contact_id: number;
  };
  /** The log of changes (docs/decisions/0006-change-log.md). */
  contact_changes: {
    workspace_id: WorkspaceId;
    contact_id: number;
    /** 1 for the first change of the contact, without gaps. */
    number: number;
    uuid: string;
    action: Change['action'];
    created_at: number;
    token_uuid: string | null;
    token_name: string | null;
    request_id: string | null;
    reason: string | null;
    changes: string;
  };
  /** How many contacts were unsubscribed, by time and token (unsubscribeCounts.ts). */
  unsubscribe_counts: {
    workspace_id: WorkspaceId;
    period: number;
    token_name: string;
    count: number;
  };
  events: {
    workspace_id: WorkspaceId;
    contact_id: number;
    created_at: number;
    uuid: string;
    event_name: string;
    attributes: string;
  };
  /** How many events of each name a contact has. */
  event_names: {
    workspace_id: WorkspaceId;
    contact_id: number;
    event_name: string;
    name_key: string;
    count: number;
  };
  /** How many events of a name each part of a period has (eventPeriods.ts). */
  event_periods: PeriodCounters & {
    workspace_id: WorkspaceId;
    contact_id: number;
    level: number;
    event_name: string;
    period: number;
  };
  domains: {
    workspace_id: WorkspaceId;
    uuid: string;
    name: string;
    name_key: string;
    domain: string;
    verified: number;
    provider: string;
    status: string;
    verification: string;
    mail_from_domain: string;
    mail_from_verified: number;
    created_at: number;
    updated_at: number;
    /** When the records were set, or a verdict on one of them last changed. */
    verdicts_at: number;
    /** When the service checks again by itself; 0 is as soon as possible. */
    next_check_at: number;
    address_count: Generated<number>;
    /** Bytes of its records as JSON, to limit the size of a page of domains (pageSize.ts). */
    record_bytes: Generated<number>;
    /** By `judgeDomainState`, written with every change (server/domains/countStates.ts). */
    state: Generated<DomainState>;
  };
  dns_records: {
    workspace_id: WorkspaceId;
    domain_uuid: string;
    position: number;
    type: string;
    name: string;
    value: string;
    is_valid: number;
    /** When a valid record was first found wrong; null when it was found right since, or is no longer valid. */
    failed_at: number | null;
  };
  addresses: {
    workspace_id: WorkspaceId;
    uuid: string;
    domain_uuid: string;
    address: string;
    full_address: string;
    address_key: string;
    provider: string;
    display_name: string;
    verification: string;
    created_at: number;
    updated_at: number;
  };
  /** Rate limits that processes share (rateLimitLeases.ts). A process alone counts in memory. */
  allowances: {
    key: string;
    ends_at: number;
    taken: number;
    /** The last lease. */
    granted: number;
  };
  schema_versions: { version: number; applied_at: number };
};
