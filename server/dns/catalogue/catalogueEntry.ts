import type { CheckResult, ResponsibleParty } from '#contract/dnsCheck.ts';

/** Whether a judgement is about a listed record, or is advice. */
export type FindingRole = 'record' | 'advice';

/** Besides the facts of the code. Texts from the DNS are not escaped: whoever prints a finding does that. */
export type SentenceContext = {
  role: FindingRole;
  /** The sending domain. */
  domain: string;
  /** Name and type of the record. */
  name: string;
  type: string;
  /** The zone of the name; null when it is not known. */
  zone: string | null;
  /** The host to enter: `k1._domainkey` when the zone is known, and the full name otherwise. */
  host: string;
  /** The DNS host, as the end of a sentence: "at Cloudflare, which answers for the zone". */
  dnsHost: string;
  /** The expected value as it is entered; empty when there is no single one. */
  expected: string;
  /** The values found, truncated for a sentence. */
  found: readonly string[];
};

/** One code of the catalogue: its meaning, and the facts that its texts need. */
export type CatalogueEntry<Facts> = {
  /** The results for a listed record and for advice, if they differ. Advice is never `fail`. */
  result: CheckResult | Readonly<Record<FindingRole, CheckResult>>;
  /** Who has to act next; null when nobody has to. */
  turn: ResponsibleParty | null | ((facts: Facts) => ResponsibleParty | null);
  /** The diagnosis. */
  describe: (facts: Facts, about: SentenceContext) => string;
  /** What to do with the offered value; missing when nothing is ever offered. */
  todo?: (facts: Facts, about: SentenceContext) => string;
};

/** Declares a code with the type of its facts, so that its texts are checked against it. */
export function defineEntry<Facts = Record<string, never>>(one: CatalogueEntry<Facts>): CatalogueEntry<Facts> {
  return one;
}

const LISTED_MAX = 10;

/** Formats `"a", "b" and 3 more`. A text with quotation marks of its own is not quoted. */
export function quotedList(words: readonly string[]): string {
  return formatList(words.map((word) => (/^".*"$/s.test(word) ? word : `"${word}"`)));
}

/** Items that are listed in a sentence. */
export function formatList(words: readonly string[], separator = ', '): string {
  const some = words.slice(0, LISTED_MAX).join(separator);
  return words.length > LISTED_MAX ? `${some} and ${words.length - LISTED_MAX} more` : some;
}

/** Names letters that look like Latin ones, and are not: ` (U+0430 is no Latin letter)`. Empty when there are none. */
export function describeStrangeLetters(text: string): string {
  const strange = [...new Set(text)].filter((char) => /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(char));
  const points = strange.map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  if (points.length === 0) return '';
  return ` (${formatList(points)} ${points.length === 1 ? 'is no Latin letter' : 'are no Latin letters'})`;
}
