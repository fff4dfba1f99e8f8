import type { Generated } from 'kysely';
import type { Action, ActorKind } from '#contract/change.ts';
import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import type { IncidentKind, IncidentState } from '#contract/domains/domainHistory.ts';
import type { SubjectKind } from '#contract/domains/domainReport.ts';
import type { DomainState } from '#contract/domains/domainState.ts';
import type { MemberSource, PersonRole } from '#contract/members.ts';
import type { DeliveryState, DestinationKind, MessageKind } from '#contract/notifications.ts';
import type { Severity } from '#contract/receivers/severity.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import type { Role } from '#contract/role.ts';
import type { SuppressionOrigin, SuppressionReason } from '#contract/suppressions/suppression.ts';

// Times are whole milliseconds since 1970-01-01T00:00Z, booleans are 0 and 1, JSON is text, UUIDs are lower-case text.
// Every key starts with the workspace, except in tables that are used to find the workspace
// (docs/decisions/0001-storage.md).

/** Branded, so that no other number can be used as one. */
export type WorkspaceId = number & { readonly of: 'workspace' };

export type Tables = {
  workspaces: {
    id: WorkspaceId;
    uuid: string;
    name: string;
    identity_field: string | null;
    suspended: Generated<number>;
    /** 1 while writes are refused, because it's moving to another database, has moved or is arriving. */
    read_only: Generated<number>;
    /** Address of the service that has it now. The source's rows are out of date from then on. */
    moved_to: string | null;
    created_at: number;
    /** JSON; empty for none (server/contacts/events/eventRules.ts). */
    event_rules: Generated<string>;
    /** When `admin verify` last found no errors; null before. */
    verified_at: Generated<number | null>;
  };
  /** What writes of a workspace change, and lock. */
  workspace_heads: {
    workspace_id: WorkspaceId;
    next_contact_id: Generated<number>;
    contact_count: Generated<number>;
    /** How many of the contacts are subscribed. */
    subscribed_count: Generated<number>;
    domain_count: Generated<number>;
    /** How many of the domains are in the state of this name; all others are healthy. */
    pending_domain_count: Generated<number>;
    failing_domain_count: Generated<number>;
    warning_domain_count: Generated<number>;
    address_count: Generated<number>;
    /** Changes with each write (writeMark.ts). */
    mark: Generated<number>;
    /** Changes with each write of what contacts are searched and filtered by (searchTotals.ts); 0 before the first. */
    search_mark: Generated<number>;
    /** The number, hash and time of the last line of the log. */
    log_count: Generated<number>;
    log_hash: Generated<string>;
    log_at: Generated<number>;
    /** Bulk runs of more contacts wait for approval; null if none does. */
    approval_above: number | null;
    /** The key of the hashes in `erased_identities`; empty before the first erasure. */
    erasure_key: Generated<string>;
    /** JSON: attributes that contacts are found by in `attribute_values` (server/contacts/attributeIndex/definitions.ts). */
    attribute_indexes: Generated<string>;
  };
  tokens: {
    hash: string;
    workspace_id: WorkspaceId;
    uuid: string;
    name: string;
    role: Generated<Role>;
    created_at: number;
    expires_at: Generated<number | null>;
    /** The begin of the day (UTC) on which it was last used. */
    used_at: Generated<number | null>;
    revoked_at: number | null;
  };
  /** Of a token, which is of one workspace, or of a person, who may be in several. */
  sessions: {
    hash: string;
    uuid: string;
    workspace_id: WorkspaceId | null;
    token_uuid: string | null;
    person_uuid: string | null;
    created_at: number;
    seen_at: number;
    expires_at: number;
    stated_workspace: string | null;
    /** When the provider of the person's account was last asked for them, and from when on it is asked again. */
    asked_at: Generated<number>;
    ask_again_at: Generated<number>;
    /** Sealed (server/oidc/seal.ts); null where the provider gave none. */
    refresh_token: Generated<string | null>;
  };
  /** Who has signed in with the organisation's account: an account of a provider. */
  people: {
    uuid: string;
    issuer: string;
    subject: string;
    email: string;
    name: string | null;
    created_at: number;
  };
  /** Who may sign in to a workspace. Email and name are those of the account at the last sign-in, before it those of the invitation. */
  members: {
    workspace_id: WorkspaceId;
    uuid: string;
    /** Null until an invited person's first sign-in. */
    person_uuid: string | null;
    email: string;
    /** Folded. */
    email_key: string;
    search_key: string;
    name: string | null;
    role: PersonRole;
    source: MemberSource;
    created_at: number;
    /** To the minute. */
    last_seen_at: number | null;
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
    /** Since when and by whom it's unsubscribed, and why, as far as somebody said (server/contacts/suppressions.ts). */
    suppressed_at: Generated<number>;
    suppressed_by: Generated<string>;
    suppression_reason: Generated<SuppressionReason | ''>;
    suppression_origin: Generated<SuppressionOrigin | ''>;
    /** The line of the log; 0 where an import of an older version added it unsubscribed. */
    suppression_line: Generated<number>;
  };
  identities: {
    workspace_id: WorkspaceId;
    kind: 'email' | 'phone' | 'custom';
    key: string;
    contact_id: number;
    /** Of an international phone number that is written with more than its digits: a + and these. Several contacts may have the same. */
    digits: string | null;
  };
  /** The log: a line for everything that happened, which never changes (docs/decisions/0031-log.md). */
  changes: {
    workspace_id: WorkspaceId;
    /** 1 for the first line of the workspace, without gaps after the checkpoint in `retention`. */
    number: number;
    uuid: string;
    /** Never less than the previous line's. */
    created_at: number;
    action: Action;
    actor_kind: ActorKind;
    /** The UUID of the token or person, else `actor_kind`. */
    actor: string;
    actor_name: string | null;
    actor_email: string | null;
    actor_subject: string | null;
    contact_uuid: string | null;
    /** 1 for the first change of the contact, without gaps after those that were deleted; null where the line is about it and no change. */
    contact_number: number | null;
    /** What the subscription of the contact became; null where it did not change. */
    subscribed: number | null;
    request_id: string | null;
    /** Which run of calls it is part of, by the UUID that the console gave it. */
    run: string | null;
    /** Bytes of its `changes`. */
    size: number;
    /** Of its row in `change_values`; null where it has none. */
    values_digest: string | null;
    /** JSON of what the check has to know of an erasure (loggedErasure.ts) or of a run of the retention (checkpoint.ts); null in any other line. */
    erasure: string | null;
    /** Of this line and the hash of the line before (logChain.ts). */
    hash: string;
    /** Its place among the lines of its actor, of its action, and of both; from 1, without gaps. */
  };
  /** After how long events and lines of the log are deleted (docs/decisions/0045-retention.md). */
  retention: {
    workspace_id: WorkspaceId;
    /** Null where they are kept. */
    event_days: number | null;
    log_days: number | null;
    /** When the service begins the next run; null where there is nothing to delete. */
    next_at: number | null;
    /** The line that says that the run began; null while there is none. */
    run_line: number | null;
    /** What is older has been deleted, or is being deleted by the run; 0 for nothing. */
    events_before: Generated<number>;
    log_before: Generated<number>;
    /** The last contact whose old events the run has deleted; null when it has no more to do with events. */
    event_after: number | null;
    /** The last line that the run has looked at, and the last that it will. */
    line_after: Generated<number>;
    line_to: Generated<number>;
    /** By the run. */
    deleted_events: Generated<number>;
    deleted_lines: Generated<number>;
    /** The checkpoint: the number, hash and time of the last line before the chain; 0 and empty while all lines are there. */
    number: Generated<number>;
    hash: Generated<string>;
    at: Generated<number>;
    /** Lines up to the checkpoint that are still needed, and a hash over them; during a run over those up to `line_after`. */
    kept: Generated<number>;
    kept_hash: Generated<string>;
    /** Empty before the first run. */
    signing_key: Generated<string>;
    mac: Generated<string>;
  };
  /** One row, of the last backup. */
  backups: { id: number; written_at: number };
  /** What a line says about a person. An erasure deletes it, and the line stays. */
  change_values: {
    workspace_id: WorkspaceId;
    number: number;
    salt: string;
    summary: string;
    changes: string;
  };
  /** Contacts that were erased. Their events are deleted until `finished_at`. */
  erasures: {
    workspace_id: WorkspaceId;
    contact_id: number;
    contact_uuid: string;
    /** The number of the request, as in a ticket. */
    reference: string | null;
    identity_count: number;
    erased_at: number;
    finished_at: number | null;
    /** From when on their identities are accepted again. */
    lifted_at: number | null;
  };
  /** Hashes of identities that are refused (server/contacts/identities/erasedIdentities.ts). */
  erased_identities: {
    workspace_id: WorkspaceId;
    hash: string;
    contact_id: number;
  };
  /** How many contacts are unsubscribed, by reason, origin and actor. */
  suppression_counts: {
    workspace_id: WorkspaceId;
    reason: string;
    origin: string;
    actor: string;
    count: number;
  };
  /** Bulk runs, kept for a month (server/contacts/runs). */
  runs: {
    workspace_id: WorkspaceId;
    /** As `run` in the log. */
    uuid: string;
    created_at: number;
    actor_kind: ActorKind;
    actor: string;
    actor_name: string | null;
    actor_email: string | null;
    digest: string | null;
    reason: SuppressionReason | null;
    ticket: string | null;
    /** Entries of the list, how many of them were received, and how many name nobody. */
    entries: number;
    received: number;
    missing: number;
    contact_count: number;
    approved_at: number | null;
    /** A person. */
    approver: string | null;
    approver_name: string | null;
    approver_email: string | null;
    /** What an import did, as JSON (server/contacts/runs/imports.ts); null for a bulk unsubscribe. */
    imported: string | null;
  };
  /** Contacts of a run: nothing else of its list is stored. */
  run_contacts: {
    workspace_id: WorkspaceId;
    run: string;
    contact_uuid: string;
  };
  /** Lists of contacts by name (server/contacts/views). */
  saved_views: {
    workspace_id: WorkspaceId;
    uuid: string;
    name: string;
    /** Of the page of contacts. */
    query: string;
    shared: number;
    /** The owner. */
    actor_kind: ActorKind;
    actor: string;
    actor_name: string | null;
    actor_email: string | null;
  };
  /** The values of indexed attributes, of contacts that have one (server/contacts/attributeIndex/values.ts). */
  attribute_values: {
    workspace_id: WorkspaceId;
    /** The number of the index. */
    attribute: number;
    contact_id: number;
    /** The value as a text without letter case, shortened if it's longer than a filter can name. */
    value_key: string;
    /** A number or date as a text in their order; null for any other value. */
    value_rank: string | null;
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
    /** When the service checks again; 0 is as soon as possible. */
    next_check_at: number;
    address_count: Generated<number>;
    /** Bytes of its records as JSON, to limit the size of a page of domains (pageSize.ts). */
    record_bytes: Generated<number>;
    /** Written with every change (server/domains/standing.ts). */
    state: Generated<DomainState>;
    /** Whether its owner sends so much that receivers ask more of it. */
    sends_bulk: Generated<number>;
    /** When the DNS was last checked; null before the first check. */
    checked_at: number | null;
    /** When a check last found something else than the one before; null before the second. */
    changed_at: number | null;
    /** Orders domains, the worst last (server/domains/standing.ts). */
    urgency: Generated<number>;
    /** Bytes of its verdicts as JSON, to limit the size of a page of reports (pageSize.ts). */
    verdict_bytes: Generated<number>;
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
    /** Folded copies, shortened for the index: what the list of all addresses searches, filters and sorts by. */
    full_key: string;
    verification_key: string;
    /** The `name_key` of the domain. */
    domain_key: string;
    provider: string;
    display_name: string;
    verification: string;
    created_at: number;
    updated_at: number;
  };
  /** What a subject of a domain (a record, a piece of advice or something watched) was found to be, from the first look to the last. */
  domain_spans: {
    workspace_id: WorkspaceId;
    domain_uuid: string;
    subject: string;
    started_at: number;
    /** The last look that found it; null while it's current, because that's the domain's `checked_at`. */
    ended_at: number | null;
    kind: SubjectKind;
    result: RecordStatus;
    code: string;
    turn: ResponsibleParty | null;
    cause: string | null;
    /** Of the last span before that isn't unknown, with its values found as JSON and its last look; null if there is none. */
    previous_result: RecordStatus | null;
    previous_code: string | null;
    previous_found: string | null;
    previous_ended_at: number | null;
    /** Whether it's known, and something else than that span. */
    is_change: number;
    /** JSON of the newest finding without its evidence. */
    finding: string;
    /** JSON of the evidence of the first look. */
    evidence: string;
  };
  /** Faults of a subject, whatever the sentence or the value. */
  incidents: {
    workspace_id: WorkspaceId;
    uuid: string;
    domain_uuid: string;
    subject: string;
    kind: IncidentKind;
    state: IncidentState;
    /** Of the last failing check. */
    code: string;
    turn: ResponsibleParty | null;
    cause: string | null;
    severity: Severity;
    /** The first of the failing checks. */
    failed_at: number;
    opened_at: number | null;
    /** The first right check since the last failing one; null while it fails. */
    right_at: number | null;
    closed_at: number | null;
    /** 1 from its fourth opening in a day until a calm day. */
    is_unstable: Generated<number>;
  };
  /** Faults that somebody accepts, with what was found. */
  acceptances: {
    workspace_id: WorkspaceId;
    uuid: string;
    domain_uuid: string;
    subject: string;
    code: string;
    /** JSON of the values found. */
    found: string;
    reason: string;
    accepted_at: number;
    until: number;
    ended_at: number | null;
    actor_kind: ActorKind;
    actor: string;
    actor_name: string | null;
  };
  /** Webhooks and mail addresses that messages go to. */
  destinations: {
    workspace_id: WorkspaceId;
    uuid: string;
    kind: DestinationKind;
    name: string;
    /** The URL, or the mail address. */
    address: string;
    /** JSON of the secrets that sign, the newest first, each with its end. */
    secrets: string;
    /** JSON of `Rules`. */
    rules: string;
    disabled_at: number | null;
    disabled_reason: string | null;
    /** Gets what can't be delivered here. */
    fallback_uuid: string | null;
    /** The last line of the log that was read for it. */
    log_number: Generated<number>;
    /** When its next digest or heartbeat is due; null if it wants none. */
    summary_at: number | null;
    created_at: number;
    updated_at: number;
  };
  messages: {
    workspace_id: WorkspaceId;
    uuid: string;
    created_at: number;
    kind: MessageKind;
    /** What it's about, a cause, a fault or a contact: messages about the same keep their order. */
    about: string;
    incident_uuid: string | null;
    contact_uuid: string | null;
    /** The line of the log that a change of a contact is. */
    log_number: number | null;
    /** When it was decided who gets it. */
    planned_at: number | null;
    /** JSON. */
    body: string;
  };
  /** A message to a destination. */
  deliveries: {
    workspace_id: WorkspaceId;
    message_uuid: string;
    destination_uuid: string;
    state: DeliveryState;
    created_at: number;
    attempts: Generated<number>;
    /** When it is due, or a process's lease ends; null when it is over. */
    next_at: number | null;
    ended_at: number | null;
    last_error: string | null;
    /** The message that tells a fault with others of its cause; of a closing, the one that told the fault. */
    told_by: string | null;
    /** Of a fallback: the name of the destination that it stands in for, and why. */
    instead_of: string | null;
    /** Attempts of which it is certain that they didn't arrive. */
    refusals: Generated<number>;
  };
  /** Pages without sign-in for the records of a domain. */
  shared_links: {
    workspace_id: WorkspaceId;
    uuid: string;
    /** Of the secret in the link. */
    hash: string;
    domain_uuid: string;
    created_at: number;
    expires_at: number;
    revoked_at: number | null;
    opened_at: number | null;
    /** UUID of the token or person. */
    actor: string;
    actor_name: string | null;
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
