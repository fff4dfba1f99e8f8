import * as z from 'zod/mini';
import type { Endpoint } from '#contract/openapi/endpoint.ts';
import { DnsRecord, Domain, ReadableDnsRecord, ReadableDomain } from './domain.ts';
import { RECORD_STATUSES } from './recordStatus.ts';
import { ResponsibleParty } from './responsibleParty.ts';
import { Timestamp } from '#contract/values/field.ts';

// The result of a DNS check. Any text in it may come from someone else's DNS: escape it before you show it.

/** What to enter at the DNS host. */
export const Fix = z.strictObject({
  /** What to do, in a sentence. */
  todo: z.string(),
  type: z.string(),
  /** The name relative to the zone, as most forms want it; null if the zone is unknown. */
  host: z.nullable(z.string()),
  /** The full name. */
  name: z.string(),
  value: z.string(),
  /** Only for an MX. */
  priority: z.nullable(z.int()),
  /** Whether only the owner can decide this, because something else may use what is there. Missing in old findings. */
  needs_decision: z.optional(z.boolean()),
});
export type Fix = z.infer<typeof Fix>;

/** Values found, responses, and records of a response in a finding. */
export const LIST_MAX = 20;

/** A DNS response, or why there is none. */
export const Evidence = z.strictObject({
  /** Name of a name server of the zone, or null for a resolver. */
  server: z.nullable(z.string()),
  address: z.string(),
  at: Timestamp,
  /** `NOERROR`, `NXDOMAIN` and so on, or why there is no response. */
  answer: z.string(),
  records: z.array(
    z.strictObject({
      name: z.string(),
      type: z.string(),
      value: z.string(),
      /** Seconds. */
      ttl: z.int(),
      /** Bytes of each string of a text, unless it's cut every 255 bytes, or into more than 20. */
      strings: z.optional(z.array(z.int())),
    }),
  ),
});
export type Evidence = z.infer<typeof Evidence>;

/** What confirms a finding: "all 3 name servers of the zone" is 3 `authoritative` of 3. */
export const Confirmation = z.strictObject({
  /** The name servers whose responses say the same. */
  authoritative: z.int(),
  /** The name servers that were queried: for a record all of its zone, those that only the registrar lists too. */
  of: z.int(),
  /** Whether one of them said the same over TCP: UDP can be forged. */
  over_tcp: z.boolean(),
  /** The resolvers that say the same; 0 if they weren't queried. */
  resolvers: z.int(),
  /** Whether all name servers of the zone responded, and none has the record. Only for a record. */
  is_gone: z.boolean(),
});
export type Confirmation = z.infer<typeof Confirmation>;

/** The result for one record, one piece of advice, or one thing that is watched. */
export const Finding = z.strictObject({
  result: z.enum(RECORD_STATUSES),
  /** A stable code for what was found (docs/dns-codes.md). */
  code: z.string(),
  /** The value that should be in `found`; null when there is no single one. */
  expected: z.nullable(z.string()),
  /** The published values. */
  found: z.array(z.string()),
  /** `code` in words, which may change. */
  diagnosis: z.string(),
  /** Who has to act next; null for nobody. */
  turn: z.nullable(ResponsibleParty),
  /**
   * What faults of several domains may have in common, as a stable key; null when the fault is the domain's own.
   * `include:NAME`: the SPF record at NAME is missing or broken, and other records lead to it. `target:NAME`: the host of
   * the provider that a listed record points to. `ns:NAME`: a name server that fails or differs; of several the first in
   * alphabetical order. `registrar:ZONE`: what registrar and registry have for ZONE.
   */
  cause: z.nullable(z.string()),
  /** Null when nothing was found out. */
  confirmed_by: z.nullable(Confirmation),
  /** The zone of the name; null when it could not be found out. */
  zone: z.nullable(z.string()),
  /** Null when there is nothing to enter. */
  fix: z.nullable(Fix),
  /** When the last old response expires; null when none is known. */
  until: z.nullable(Timestamp),
  evidence: z.array(Evidence),
  /** The `dig` command for the same query; empty when no query was sent. */
  dig: z.string(),
});
export type Finding = z.infer<typeof Finding>;

/** The finding about one record of `Domain.dns`. */
export const RecordFinding = z.strictObject({
  kind: z.literal('record'),
  /** Its index in `Domain.dns` at the start of the check. */
  index: z.int(),
  record: DnsRecord,
  finding: Finding,
});
export type RecordFinding = z.infer<typeof RecordFinding>;

/** Advice about what isn't a record of the domain but matters to its mail. */
const AdviceFinding = z.strictObject({
  kind: z.literal('advice'),
  /** `dmarc`, `alignment`, `mail_from_mx`, `mail_from_spf` or `delegation`, each at most once. */
  about: z.string(),
  finding: Finding,
});

/** What is watched: what the zone of the domain has in its parent (`ns`, `ds`) and at its top (`soa`), and the domain's `mx`. */
export const WATCHED = ['ns', 'ds', 'soa', 'mx'] as const;
export type Watched = (typeof WATCHED)[number];

/**
 * What is neither right nor wrong, but should be known when it changes. `found` is sorted and has no TTL and no serial, so
 * that two checks can be compared. The result is `ok`, or `unknown` when it couldn't be asked.
 */
const WatchFinding = z.strictObject({ kind: z.literal('watch'), about: z.enum(WATCHED), finding: Finding });

/** The last line. Without it the check was not completed. */
export const CheckCompletion = z.strictObject({
  kind: z.literal('end'),
  /** When the check began: up to half a minute ago, because requests share a result. */
  checked_at: Timestamp,
  /** Seconds after `checked_at` before which another check can't find anything new; 0 when every record works. */
  again_in: z.int(),
  /** The domain as it is stored after the check. */
  domain: Domain,
});
export type CheckCompletion = z.infer<typeof CheckCompletion>;

/** One line of the response. Records, advice and what is watched come in the order in which they are checked. */
export const CheckLine = z.discriminatedUnion('kind', [RecordFinding, AdviceFinding, WatchFinding, CheckCompletion]);
export type CheckLine = z.infer<typeof CheckLine>;

export const ReadableCheckLine = z.discriminatedUnion('kind', [
  z.object({ ...RecordFinding.shape, record: ReadableDnsRecord }),
  z.object(AdviceFinding.shape),
  z.object({ ...WatchFinding.shape, about: z.string() }),
  z.object({ ...CheckCompletion.shape, domain: ReadableDomain }),
]);
export type ReadableCheckLine = z.infer<typeof ReadableCheckLine>;

/** Checks the DNS of a domain: a line for each record as soon as it is checked, and a final one. */
export const checkDomain = {
  id: 'checkDomain',
  method: 'POST',
  path: '/v1/domains/{domain}/check',
  isStream: true,
  result: CheckLine,
  reading: ReadableCheckLine,
} as const satisfies Endpoint;
