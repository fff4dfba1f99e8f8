import type { CheckResult, ResponsibleParty } from '#contract/dnsCheck.ts';
import { dkim } from './dkim.ts';
import { dmarc } from './dmarc.ts';
import type { CatalogueEntry, FindingRole } from './catalogueEntry.ts';
import { mx } from './mx.ts';
import { placement } from './placement.ts';
import { servers } from './servers.ts';
import { spf } from './spf.ts';
import { text } from './text.ts';

/** Every code with its result, whose turn it is, its diagnosis and its fix. Codes stay; sentences may change. */
export const catalogue = { ...placement, ...text, ...mx, ...spf, ...dkim, ...dmarc, ...servers };

export type Code = Extract<keyof typeof catalogue, string>;
export type FactsOf<C extends Code> = (typeof catalogue)[C] extends CatalogueEntry<infer Facts> ? Facts : never;

/** What something comes to: a code with its facts, and what may be typed. */
export type Judgement = { [C in Code]: JudgementOf<C> }[Code];

export type JudgementOf<C extends Code> = {
  code: C;
  facts: FactsOf<C>;
  /**
   * The value to publish in place of what is there; undefined for the expected one, null when nothing can be offered.
   * Values are as people write them: "10 mx.example.net" for an MX.
   */
  offer?: string | null;
  /** What was found, where that is not simply the records at the name. */
  found?: readonly string[];
};

export function judge<C extends Code>(
  code: C,
  facts: FactsOf<C>,
  more: Pick<JudgementOf<C>, 'offer' | 'found'> = {},
): JudgementOf<C> {
  return { code, facts, ...more };
}

/** Advice never makes a domain broken: what is `fail` for a record is `warn` there. */
export function resultOf(code: Code, role: FindingRole): CheckResult {
  const { result }: Pick<CatalogueEntry<never>, 'result'> = catalogue[code];
  const forRole = typeof result === 'string' ? result : result[role];
  return forRole === 'fail' && role === 'advice' ? 'warn' : forRole;
}

export function turnOf({ code, facts }: Judgement): ResponsibleParty | null {
  const { turn } = catalogue[code] as CatalogueEntry<never>;
  return typeof turn === 'function' ? turn(facts as never) : turn;
}
