import * as z from 'zod/mini';
import { ResponsibleParty } from './responsibleParty.ts';
import { DkimKey } from './dkimKeys.ts';
import { Finding } from './dnsCheck.ts';
import { pageOf } from '#contract/list.ts';
import { RECORD_STATUSES } from './recordStatus.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Timestamp, Uuid } from '#contract/values/field.ts';
import { Reason } from '#contract/change.ts';
import {
  SEVERITIES,
  SUBJECT_KINDS,
  Acceptance,
  ReadableAcceptance,
  Verdict,
  ReadableVerdict,
  DomainReport,
  ReadableDomainReport,
} from './domainReport.ts';

// What the checks of a domain found, now and before, and which faults are open or accepted.

/** `broken`: mail fails or will. `weak`: it works, but should be better. */
export const INCIDENT_KINDS = ['broken', 'weak'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** `suspect`: found once, so nobody is told yet. `closing`: found right once. */
export const INCIDENT_STATES = ['suspect', 'open', 'closing', 'closed'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

const DetailedVerdict = z.strictObject({ ...Verdict.shape, finding: Finding });
/** A report with each finding in full. */
export const DetailedDomainReport = z.strictObject({
  ...DomainReport.shape,
  /** When the service checks again; null for as soon as possible. */
  next_check_at: z.nullable(Timestamp),
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
      ...ReadableDomainReport.shape,
      next_check_at: DetailedDomainReport.shape.next_check_at,
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
