import * as z from 'zod/mini';
import { DnsRecord, Domain, ReadableDnsRecord, ReadableDomain } from './domain.ts';
import { Timestamp } from './field.ts';

// What the DNS says about a domain now. Every text in it may come from somebody else's DNS: whoever shows it makes it
// harmless first.

/** `pending`: right, but not seen everywhere yet. `unknown`: could not be asked, which is not the same as missing. */
export const CheckResult = z.enum(['ok', 'warn', 'fail', 'pending', 'unknown']);
export type CheckResult = z.infer<typeof CheckResult>;

/** Who has to act: the owner of the domain, or somebody the owner has to ask. `checker` runs this check and its network. */
export const ResponsibleParty = z.enum(['owner', 'provider', 'dns_host', 'registrar', 'report_receiver', 'checker']);
export type ResponsibleParty = z.infer<typeof ResponsibleParty>;

/** What to type into the form of the DNS host. */
export const Fix = z.strictObject({
  /** What to do, in a sentence. */
  todo: z.string(),
  type: z.string(),
  /** Relative to the zone, as most forms want it; null while nobody knows the zone that the name lies in. */
  host: z.nullable(z.string()),
  /** The same in full. */
  name: z.string(),
  value: z.string(),
  /** Of an MX. */
  priority: z.nullable(z.int()),
});
export type Fix = z.infer<typeof Fix>;

/** Who said what, when. */
export const Evidence = z.strictObject({
  /** Name of a name server of the zone, or null for a resolver. */
  server: z.nullable(z.string()),
  address: z.string(),
  at: Timestamp,
  /** `NOERROR`, `NXDOMAIN` and so on, or why there is no answer. */
  answer: z.string(),
  /** TTLs are seconds. */
  records: z.array(z.strictObject({ name: z.string(), type: z.string(), value: z.string(), ttl: z.int() })),
});
export type Evidence = z.infer<typeof Evidence>;

/** What was found out about one thing that was asked. */
export const Finding = z.strictObject({
  result: CheckResult,
  /** What was found, as a word that stays the same (docs/dns-check.md). */
  code: z.string(),
  /** The value as it should be seen in `found`; null where there is no single one. */
  expected: z.nullable(z.string()),
  /** The values that are published. */
  found: z.array(z.string()),
  /** The same as `code`, as a sentence; it may change. */
  diagnosis: z.string(),
  /** Who has to act next; null when nobody has to. */
  turn: z.nullable(ResponsibleParty),
  /** The zone that the name lies in, as far as anybody could tell; null when nobody could. */
  zone: z.nullable(z.string()),
  /** Null when there is nothing to type. */
  fix: z.nullable(Fix),
  /** When what is pending is over at the latest; null when nothing is. */
  until: z.nullable(Timestamp),
  evidence: z.array(Evidence),
  /** The command that asks the same again; empty when nothing was asked. */
  dig: z.string(),
});
export type Finding = z.infer<typeof Finding>;

/** One record of `Domain.dns`, as soon as it is known. */
export const RecordFinding = z.strictObject({
  kind: z.literal('record'),
  /** Its place in `Domain.dns` when the check began; `record` says which one it is. */
  index: z.int(),
  record: DnsRecord,
  finding: Finding,
});
export type RecordFinding = z.infer<typeof RecordFinding>;

/** What is not among the records of the domain but matters to its mail. Advice never makes a domain broken. */
const AdviceFinding = z.strictObject({
  kind: z.literal('advice'),
  /** What it is about: `dmarc`, `alignment`, `mail_from_mx`, `mail_from_spf` or `delegation`, once each at most. */
  about: z.string(),
  finding: Finding,
});

/** The last line: without it the check did not come to its end. */
export const CheckCompletion = z.strictObject({
  kind: z.literal('end'),
  /** When it was asked: up to half a minute ago, if others wanted to know it then. */
  checked_at: Timestamp,
  /** Seconds after that before which asking again cannot tell anything new; 0 when all is right. */
  again_in: z.int(),
  /** The domain with the verdicts as they are stored now. */
  domain: Domain,
});
export type CheckCompletion = z.infer<typeof CheckCompletion>;

/** One line of the answer to a check. Records and advice come in the order in which they are known. */
export const CheckLine = z.discriminatedUnion('kind', [RecordFinding, AdviceFinding, CheckCompletion]);
export type CheckLine = z.infer<typeof CheckLine>;

export const ReadableCheckLine = z.discriminatedUnion('kind', [
  z.object({ ...RecordFinding.shape, record: ReadableDnsRecord }),
  z.object(AdviceFinding.shape),
  z.object({ ...CheckCompletion.shape, domain: ReadableDomain }),
]);
export type ReadableCheckLine = z.infer<typeof ReadableCheckLine>;
