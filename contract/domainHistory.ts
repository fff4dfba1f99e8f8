import * as z from 'zod/mini';
import { DkimKey } from './dkimKeys.ts';
import { Finding, ResponsibleParty } from './dnsCheck.ts';
import { Domain, ReadableDomain } from './domain.ts';
import { DOMAIN_STATES } from './domainState.ts';
import { pageOf } from './list.ts';
import type { ReceiverId } from './receivers/rules.ts';
import type { Severity } from './receivers/severity.ts';
import { RECORD_STATUSES } from './recordStatus.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Timestamp, Uuid } from '#contract/values/field.ts';
import { Actor, Reason, ReadableActor } from './change.ts';

// What the checks of a domain found, now and before, and which faults are open or accepted.

/** `broken`: mail fails or will. `weak`: it works, but should be better. */
export const INCIDENT_KINDS = ['broken', 'weak'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** `suspect`: found once, so nobody is told yet. `closing`: found right once. */
export const INCIDENT_STATES = ['suspect', 'open', 'closing', 'closed'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** What the strictest receiver does with the domain's mail. */
export const SEVERITIES = ['refuses', 'limits', 'accepts'] as const satisfies readonly Severity[];

export const SUBJECT_KINDS = ['record', 'advice', 'watch'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** A fault that somebody accepts, until it changes, becomes right, or `until`. */
export const Acceptance = z.strictObject({
  uuid: Uuid,
  domain: z.strictObject({ uuid: Uuid, name: z.string() }),
  subject: z.string(),
  code: z.string(),
  reason: z.string(),
  accepted_at: Timestamp,
  until: Timestamp,
  /** When it ended; null while it holds. */
  ended_at: z.nullable(Timestamp),
  actor: Actor,
});
export type Acceptance = z.infer<typeof Acceptance>;
export const ReadableAcceptance = z.object({
  ...Acceptance.shape,
  domain: z.object({ uuid: z.string(), name: z.string() }),
  actor: ReadableActor,
});
export type ReadableAcceptance = z.infer<typeof ReadableAcceptance>;

/** What the last checks found about one subject. */
export const Verdict = z.strictObject({
  /** A listed record, a piece of advice, or something watched. */
  kind: z.enum(SUBJECT_KINDS),
  /** The stable key of the subject in its domain. */
  subject: z.string(),
  /** Of a record: its index in `Domain.dns`; null for others, and for a record that's no longer listed. */
  index: z.nullable(z.int()),
  result: z.enum(RECORD_STATUSES),
  code: z.string(),
  turn: z.nullable(ResponsibleParty),
  cause: z.nullable(z.string()),
  /** The first look that found it, and the last. */
  since: Timestamp,
  checked_at: Timestamp,
  /** What the last look before `since` found that could tell. Null if there was none. */
  before: z.nullable(z.strictObject({ result: z.enum(RECORD_STATUSES), checked_at: Timestamp })),
  accepted: z.nullable(Acceptance),
});
export type Verdict = z.infer<typeof Verdict>;

const Outcome = z.enum([...SEVERITIES, 'unknown']);
const receivers = {
  gmail: Outcome,
  yahoo: Outcome,
  outlook: Outcome,
  apple: Outcome,
  gmx: Outcome,
} satisfies Record<ReceiverId, typeof Outcome>;

const report = {
  domain: Domain,
  state: z.enum(DOMAIN_STATES),
  sends_bulk: z.boolean(),
  checked_at: z.nullable(Timestamp),
  changed_at: z.nullable(Timestamp),
  address_count: z.int(),
  /** By receiver, what it does with the domain's mail, as far as the DNS shows it. */
  receivers: z.object(receivers),
};

/** A domain with what its last check found, as it is stored for everybody. */
export const DomainReport = z.strictObject({ ...report, verdicts: z.array(Verdict) });
export type DomainReport = z.infer<typeof DomainReport>;
export const ReadableVerdict = z.object({ ...Verdict.shape, accepted: z.nullable(ReadableAcceptance) });
export const ReadableDomainReport = z.object({
  ...report,
  domain: ReadableDomain,
  verdicts: z.array(ReadableVerdict),
});
export type ReadableDomainReport = z.infer<typeof ReadableDomainReport>;

/** The worst first, unless sorted. */
export const listDomainReports = {
  id: 'listDomainReports',
  method: 'GET',
  path: '/v1/domain-reports',
  list: {
    search: true,
    sortable: ['urgency', 'name', 'provider', 'checked_at', 'changed_at', 'created_at'],
    choices: { state: DOMAIN_STATES, turn: ResponsibleParty.options },
    /** Of a finding, and of the domain, exactly. */
    texts: ['code', 'cause', 'provider'],
    times: ['changed_since'],
  },
  ...pageOf(DomainReport, ReadableDomainReport),
} as const satisfies Operation;

const DetailedVerdict = z.strictObject({ ...Verdict.shape, finding: Finding });
/** A report with each finding in full. */
export const DetailedDomainReport = z.strictObject({
  ...report,
  verdicts: z.array(DetailedVerdict),
  /** Also those of selectors that no record lists any more. */
  dkim_keys: z.array(DkimKey),
});
export type DetailedDomainReport = z.infer<typeof DetailedDomainReport>;

export const getDomainReport = {
  id: 'getDomainReport',
  method: 'GET',
  path: '/v1/domain-reports/{domain}',
  ...dataOf(
    DetailedDomainReport,
    z.object({
      ...report,
      domain: ReadableDomain,
      verdicts: z.array(z.object({ ...ReadableVerdict.shape, finding: Finding })),
      dkim_keys: z.array(z.object(DkimKey.shape)),
    }),
  ),
} as const satisfies Operation;

/** What a subject was found to be, between two looks. */
export const Span = z.strictObject({
  subject: z.string(),
  kind: z.enum(SUBJECT_KINDS),
  started_at: Timestamp,
  ended_at: Timestamp,
  result: z.enum(RECORD_STATUSES),
  code: z.string(),
  turn: z.nullable(ResponsibleParty),
  cause: z.nullable(z.string()),
  /** With the evidence of the first look. */
  finding: Finding,
});
export type Span = z.infer<typeof Span>;

/** Newest first. */
export const getDomainHistory = {
  id: 'getDomainHistory',
  method: 'GET',
  path: '/v1/domains/{domain}/history',
  list: { sortable: [], texts: ['subject'], times: ['from', 'to'] },
  ...pageOf(Span, z.object(Span.shape)),
} as const satisfies Operation;

/** A change of a subject, with what it was before. */
export const DomainChange = z.strictObject({
  domain: z.strictObject({ uuid: Uuid, name: z.string() }),
  subject: z.string(),
  kind: z.enum(SUBJECT_KINDS),
  /** The last look that found the state before, and the first that found this one. */
  between: z.strictObject({ from: Timestamp, to: Timestamp }),
  before: z.strictObject({ result: z.enum(RECORD_STATUSES), code: z.string(), found: z.array(z.string()) }),
  after: z.strictObject({ result: z.enum(RECORD_STATUSES), code: z.string(), found: z.array(z.string()) }),
  turn: z.nullable(ResponsibleParty),
});
export type DomainChange = z.infer<typeof DomainChange>;

/** Newest first, unless sorted. */
export const listDomainChanges = {
  id: 'listDomainChanges',
  method: 'GET',
  path: '/v1/domain-changes',
  list: {
    search: true,
    sortable: ['changed_at'],
    choices: { result: RECORD_STATUSES, turn: ResponsibleParty.options, direction: ['worse', 'better'] },
    times: ['from', 'to'],
  },
  ...pageOf(DomainChange, z.object(DomainChange.shape)),
} as const satisfies Operation;

export const Incident = z.strictObject({
  uuid: Uuid,
  domain: z.strictObject({ uuid: Uuid, name: z.string() }),
  subject: z.string(),
  kind: z.enum(INCIDENT_KINDS),
  state: z.enum(INCIDENT_STATES),
  code: z.string(),
  turn: z.nullable(ResponsibleParty),
  cause: z.nullable(z.string()),
  severity: z.enum(SEVERITIES),
  failed_at: Timestamp,
  opened_at: z.nullable(Timestamp),
  closed_at: z.nullable(Timestamp),
  is_unstable: z.boolean(),
  accepted: z.nullable(Acceptance),
});
export type Incident = z.infer<typeof Incident>;

/** Newest first. Those that nobody was told of yet (`suspect`) too. */
export const listIncidents = {
  id: 'listIncidents',
  method: 'GET',
  path: '/v1/incidents',
  list: { sortable: [], choices: { state: INCIDENT_STATES }, texts: ['domain'] },
  ...pageOf(Incident, z.object({ ...Incident.shape, accepted: z.nullable(ReadableAcceptance) })),
} as const satisfies Operation;

/** A fault can be accepted for a year at most. */
export const ACCEPTED_DAYS_MAX = 366;

/** Accepts a fault as it is now. 409 where the subject isn't wrong, or not as `code` says. */
export const acceptFault = {
  id: 'acceptFault',
  method: 'POST',
  path: '/v1/domains/{domain}/acceptances',
  body: z.strictObject({ subject: z.string(), code: z.string(), reason: Reason, until: Timestamp }),
  ...dataOf(Acceptance, ReadableAcceptance),
} as const satisfies Operation;

/** Those that hold, newest first. */
export const listAcceptances = {
  id: 'listAcceptances',
  method: 'GET',
  path: '/v1/acceptances',
  list: { sortable: [] },
  ...pageOf(Acceptance, ReadableAcceptance),
} as const satisfies Operation;

export const endAcceptance = {
  id: 'endAcceptance',
  method: 'DELETE',
  path: '/v1/acceptances/{acceptance}',
  ...dataOf(Acceptance, ReadableAcceptance),
} as const satisfies Operation;

/** Says whether a domain sends in bulk. */
export const updateDomain = {
  id: 'updateDomain',
  method: 'POST',
  path: '/v1/domains/{domain}/settings',
  body: z.strictObject({ sends_bulk: z.boolean() }),
  ...dataOf(DetailedDomainReport, getDomainReport.reading.shape.data),
} as const satisfies Operation;
