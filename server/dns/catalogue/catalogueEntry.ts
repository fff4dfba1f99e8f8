import type { CheckResult, ResponsibleParty } from '#contract/dnsCheck.ts';

/** Whether a judgement is about a record that the service lists, or is advice on what it does not list. */
export type FindingRole = 'record' | 'advice';

/** What every sentence may need besides the facts of its code. As everything from the DNS it is made harmless by whoever prints it. */
export type SentenceContext = {
  role: FindingRole;
  /** The sending domain. */
  domain: string;
  /** Where the record is, and its type. */
  name: string;
  type: string;
  /** The zone that `name` lies in; null when nobody could tell. */
  zone: string | null;
  /** What to type as the host: `k1._domainkey` where the zone is known, and the full name where not. */
  host: string;
  /** Where records are edited, as the end of a sentence: "at Cloudflare, which answers for the zone". */
  dnsHost: string;
  /** The value that should be published, as people write it; empty where there is no single one. */
  expected: string;
  /** The values that were found, cut to what a sentence can hold. */
  found: readonly string[];
};

/** One code of the catalogue: what it means, with the facts that its sentences need. */
export type CatalogueEntry<Facts> = {
  /** For a listed record and for advice, where that differs. Advice is never `fail`. */
  result: CheckResult | Readonly<Record<FindingRole, CheckResult>>;
  /** Who has to act next; null when nobody has to. */
  turn: ResponsibleParty | null | ((facts: Facts) => ResponsibleParty | null);
  /** The diagnosis. */
  describe: (facts: Facts, about: SentenceContext) => string;
  /** What to do with what is offered for typing; absent where nothing is ever to be typed. */
  todo?: (facts: Facts, about: SentenceContext) => string;
};

/** Says what the facts of a code are, and checks its sentences against them. */
export function defineEntry<Facts = Record<string, never>>(one: CatalogueEntry<Facts>): CatalogueEntry<Facts> {
  return one;
}
