import type { CheckResult, ResponsibleParty } from '#contract/dnsCheck.ts';
import { dkim } from './dkim.ts';
import { dmarc } from './dmarc.ts';
import type { CatalogueEntry, FindingRole } from './catalogueEntry.ts';
import { incoming } from './incoming.ts';
import { mx } from './mx.ts';
import { placement } from './placement.ts';
import { servers } from './servers.ts';
import { spf } from './spf.ts';
import { text } from './text.ts';

/** All codes, each with its result, responsible party, diagnosis and fix. Codes are stable; texts may change. */
export const catalogue = { ...placement, ...text, ...mx, ...spf, ...dkim, ...dmarc, ...servers, ...incoming };

export type Code = Extract<keyof typeof catalogue, string>;
export type FactsOf<C extends Code> = (typeof catalogue)[C] extends CatalogueEntry<infer Facts> ? Facts : never;

/** A judgement: a code with its facts, what it is based on, and perhaps a value to publish. */
export type Judgement = { [C in Code]: JudgementOf<C> }[Code];

export type JudgementOf<C extends Code> = Basis & {
  code: C;
  facts: FactsOf<C>;
  /**
   * The value to publish instead of what is there; undefined for the expected one, null when none can be offered. It is
   * written as it is entered: "10 mx.example.net" for an MX.
   */
  offer?: string | null;
  /** Where an alias at the name leads, at whose target the record is. */
  through?: string;
};

/** What was found. */
export type Basis = {
  /** The values; undefined for the records at the name. */
  found?: readonly string[];
  /** Seconds for which resolvers cache the response. */
  ttl?: number;
  /** When the last cached response expires, in milliseconds since the epoch. */
  until?: number;
};

/** Creates a judgement. The type of `facts` depends on the code. */
export function judge<C extends Code>(
  code: C,
  facts: FactsOf<C>,
  more: Basis & { offer?: string | null } = {},
): { [K in C]: JudgementOf<K> }[C] {
  return { code, facts, ...more } as never;
}

export function basisOf({ found, ttl }: Basis): Basis {
  return { found, ttl };
}

/** As good as its owner can make it: right, nearly right, or with an error that only the provider can fix. */
export function isPublished(judgement: Judgement): boolean {
  return !isFailure(judgement) || turnOf(judgement) === 'provider';
}

export function isFailure({ code }: Judgement): boolean {
  return resultOf(code, 'record') === 'fail';
}

/** The result of a code. Advice is at most `warn` where a record would be `fail`. */
export function resultOf(code: Code, role: FindingRole): CheckResult {
  const { result }: Pick<CatalogueEntry<never>, 'result'> = catalogue[code];
  const forRole = typeof result === 'string' ? result : result[role];
  return forRole === 'fail' && role === 'advice' ? 'warn' : forRole;
}

/** Who has to act; null when nobody has to. */
export function turnOf({ code, facts }: Judgement): ResponsibleParty | null {
  const { turn } = catalogue[code] as CatalogueEntry<never>;
  return typeof turn === 'function' ? turn(facts as never) : turn;
}
