import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { dkim } from './dkim.ts';
import { dmarc } from './dmarc.ts';
import type { CatalogueEntry, FindingRole } from './catalogueEntry.ts';
import { incoming } from './incoming.ts';
import { mx } from './mx.ts';
import { placement } from './placement.ts';
import { sender, watched } from './sender.ts';
import { servers } from './servers.ts';
import { spf } from './spf.ts';
import { text } from './text.ts';

/** All codes, each with its result, responsible party, diagnosis and fix. Codes are stable; texts may change. */
export const catalogue = {
  ...placement,
  ...text,
  ...mx,
  ...spf,
  ...dkim,
  ...dmarc,
  ...servers,
  ...sender,
  ...watched,
  ...incoming,
};

export type Code = Extract<keyof typeof catalogue, string>;
export type FactsOf<C extends Code> = (typeof catalogue)[C] extends CatalogueEntry<infer Facts> ? Facts : never;

/** A judgement: a code with its facts, what it is based on, and perhaps a value to publish. */
export type Judgement = { [C in Code]: JudgementOf<C> }[Code];

export type JudgementOf<C extends Code> = Basis & {
  code: C;
  facts: FactsOf<C>;
  /** The value to publish, as entered; undefined for the expected one, null if none can be offered. */
  offer?: string | null;
  /** The target of an alias at the name, where the record is. */
  through?: string;
};

export type Basis = {
  /** The values; undefined for the records at the name. */
  found?: readonly string[];
  /** Seconds for which resolvers cache the response. */
  ttl?: number;
  /** When the last cached response expires, in milliseconds since the epoch. */
  until?: number;
};

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

/** The name has no such record, whatever else it has. */
export const MISSING_CODES: ReadonlySet<string> = new Set<Code>([
  'NAME_MISSING',
  'RECORD_MISSING',
  'TEXT_MISSING',
  'SPF_MISSING',
  'DMARC_MISSING',
]);

export function isFailure({ code }: Judgement): boolean {
  return resultOf(code, 'record') === 'fail';
}

/** The result of a record. Advice that fails as a record is a warning, and what is watched is neither right nor wrong. */
export function resultOf(code: Code, role: FindingRole): RecordStatus {
  const { result } = catalogue[code];
  if (role === 'watch') return result === 'unknown' ? result : 'ok';
  return result === 'fail' && role === 'advice' ? 'warn' : result;
}

export function turnOf({ code, facts }: Judgement): ResponsibleParty | null {
  const { turn } = catalogue[code] as CatalogueEntry<never>;
  return typeof turn === 'function' ? turn(facts as never) : turn;
}
