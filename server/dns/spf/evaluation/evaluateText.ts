import type { LookUpCount } from '../../catalogue/spfFacts.ts';
import type { LookUp } from '../../conversation/lookUp.ts';
import type { ResourceRecord } from '../../wire/message.ts';
import { ALL_ADDRESSES, ALL_IPV4, difference, union } from './addressSet.ts';
import { evaluateSpf } from './evaluateSpf.ts';
import {
  byResult,
  findPermerror,
  type SpfError,
  type SpfEvaluation,
  type SpfInput,
  topLevelTerm,
} from './evaluation.ts';
import { RECORD_MAX } from './parseSpf.ts';

export type PublishedSpf = {
  name: string;
  texts: readonly string[];
  expected: string | null;
  lookUp: LookUp;
};
type Place = Pick<PublishedSpf, 'name' | 'lookUp'>;

/** As if `text` were the only TXT record at the name; for all addresses by default. */
export async function evaluateText(
  text: string,
  { name, lookUp }: Place,
  more: Pick<Partial<SpfInput>, 'addresses' | 'limits'> = {},
): Promise<SpfEvaluation> {
  const record: ResourceRecord = { name, type: 'TXT', ttl: 0, value: text, priority: null };
  const published: LookUp = async (asked, type) =>
    asked === name && type === 'TXT'
      ? { name, type, records: [record], isNxdomain: false, reason: '' }
      : lookUp(asked, type);
  const everybody = { addresses: ALL_ADDRESSES, sender: null, helo: null };
  return evaluateSpf({ domain: name, ...everybody, lookUp: published, charactersMax: RECORD_MAX, ...more });
}

export async function evaluateExpected({ expected, ...place }: PublishedSpf): Promise<SpfEvaluation | null> {
  return expected === null ? null : withIpv6(expected, place, await evaluateText(expected, place), null);
}

export async function evaluateFor(wanted: SpfEvaluation | null, text: string, place: Place): Promise<SpfEvaluation> {
  const all = await evaluateText(text, place);
  return wanted === null ? all : withIpv6(text, place, all, wanted);
}

/** For IPv6 senders once more, with the AAAA records of hosts. Only those before the term that allows them are queried. */
async function withIpv6(
  text: string,
  place: Place,
  all: SpfEvaluation,
  wanted: SpfEvaluation | null,
): Promise<SpfEvaluation> {
  const senders = difference((wanted ?? all).sets.pass, ALL_IPV4);
  if (senders.length === 0 || all.errors.length > 0) return all;
  const own = await evaluateText(text, place, { addresses: senders });
  const sets = byResult((result) => union(difference(all.sets[result], senders), own.sets[result]));
  // Only void look-ups differ between the families: all other errors have ended the evaluation for all addresses.
  const errors = own.errors.map((error): SpfError => (error.kind === 'voids' ? { ...error, kind: 'voids6' } : error));
  return { ...all, sets, errors, voids: findPermerror(own) === null ? all.voids : own.voids };
}

/** Counting stops at twice the limit. */
const COUNTED = { lookUps: 20, voids: Number.POSITIVE_INFINITY };

export async function countLookUps(text: string, { name, lookUp }: Place): Promise<LookUpCount> {
  // Follows only terms that lead to other SPF records. The addresses of other terms don't matter here.
  const onlyTexts: LookUp = async (asked, type) =>
    type === 'TXT' ? lookUp(asked, type) : { name: asked, type, records: [], isNxdomain: false, reason: '' };
  const { lookUps, errors, opaque } = await evaluateText(text, { name, lookUp: onlyTexts }, { limits: COUNTED });
  const byTerm = Map.groupBy(lookUps, topLevelTerm);
  return {
    count: lookUps.length,
    isMore: errors.length > 0 || opaque.some((term) => /^[+\-~?]?include:|^redirect=/i.test(term.text)),
    terms: [...byTerm].map(([term, all]) => ({ term, lookUps: all.length })),
  };
}
