import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';

export type FindingRole = 'record' | 'advice' | 'watch';

/** What texts need besides the facts. Texts from the DNS aren't escaped: printing a finding does that. */
export type SentenceContext = {
  role: FindingRole;
  domain: string;
  name: string;
  type: string;
  /** The zone of the name; null if unknown. */
  zone: string | null;
  /** The host to enter, such as `k1._domainkey`; the full name if the zone is unknown. */
  host: string;
  /** The DNS host, as the end of a sentence: "at Cloudflare, which answers for the zone". */
  dnsHost: string;
  /** The expected value as entered; empty if there isn't a single one. */
  expected: string;
  /** The values found, truncated for a sentence. */
  found: readonly string[];
};

type Turn<Facts> = ResponsibleParty | null | ((facts: Facts) => ResponsibleParty | null);
type Sentence<Facts> = (facts: Facts, about: SentenceContext) => string;

/** One code of the catalogue: its meaning, and the facts that its texts need. */
export type CatalogueEntry<Facts> = {
  /** For a listed record; `resultOf` says what it is as advice. */
  result: RecordStatus;
  /** Who has to act next; null for nobody. */
  turn: Turn<Facts>;
  describe: Sentence<Facts>;
  /** What to do with the offered value; missing if nothing is ever offered. */
  todo?: Sentence<Facts>;
  /** Whether only the owner can decide to do it, because something else may use what is there. */
  needsDecision?: boolean | ((facts: Facts) => boolean);
};

/** Creates entries with this result and, if an entry names nobody else, this turn. */
const entryOf =
  (result: RecordStatus, turn: ResponsibleParty | null) =>
  <Facts = Record<string, never>>(
    one: Omit<CatalogueEntry<Facts>, 'result' | 'turn'> & { turn?: Turn<Facts> },
  ): CatalogueEntry<Facts> => ({ result, turn, ...one });

export const ok = entryOf('ok', null);
export const pending = entryOf('pending', null);
export const warn = entryOf('warn', 'owner');
export const fail = entryOf('fail', 'owner');
export const unknown = entryOf('unknown', 'checker');

const LISTED_MAX = 10;

/** Formats `"a", "b" and 3 more`. A quoted text isn't quoted again. */
export function quotedList(words: readonly string[]): string {
  return formatList(words.map((word) => (/^".*"$/s.test(word) ? word : `"${word}"`)));
}

export function formatList(words: readonly string[], separator = ', '): string {
  const some = words.slice(0, LISTED_MAX).join(separator);
  return words.length > LISTED_MAX ? `${some} and ${words.length - LISTED_MAX} more` : some;
}

/** Names letters that only look Latin: ` (U+0430 isn't a Latin letter)`. Empty without any. */
export function describeStrangeLetters(text: string): string {
  const strange = [...new Set(text)].filter((char) => /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(char));
  const points = strange.map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  if (points.length === 0) return '';
  return ` (${formatList(points)} ${points.length === 1 ? "isn't a Latin letter" : "aren't Latin letters"})`;
}
