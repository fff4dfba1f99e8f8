import * as z from 'zod/mini';
import { ResponsibleParty } from './responsibleParty.ts';
import { Domain, ReadableDomain } from './domain.ts';
import { DOMAIN_STATES } from './domainState.ts';
import { pageOf } from '#contract/list.ts';
import { RECORD_STATUSES } from './recordStatus.ts';
import type { Operation } from '#contract/openapi/endpoint.ts';
import { Timestamp, Uuid } from '#contract/values/field.ts';
import { Actor, ReadableActor } from '#contract/change.ts';
import type { ReceiverId } from '#contract/receivers/receivers.ts';
import type { Severity } from '#contract/receivers/severity.ts';

// What the last check of a domain found, as it is stored for everybody.

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
  /** The values that were found, in no order. */
  found: z.array(z.string()),
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
