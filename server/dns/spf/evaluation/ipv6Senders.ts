import { ALL_IPV4, difference, union } from './addressSet.ts';
import { byResult, findPermerror, type SpfEvaluation, type SpfError } from './evaluation.ts';
import { evaluateSpfText } from './evaluateSpf.ts';
import type { LookUp } from '../../conversation/lookUp.ts';

type TextAtName = { text: string; name: string; lookUp: LookUp };

/**
 * Evaluates SPF for all addresses, and for the IPv6 senders of `wanted` once more with the AAAA records of hosts. Only
 * those before the term that lets these senders send are queried. Without `wanted`, the senders of `text` itself.
 */
export async function evaluateForSenders(
  { text, name, lookUp }: TextAtName,
  wanted: SpfEvaluation | null,
): Promise<SpfEvaluation> {
  const all = await evaluateSpfText(text, name, lookUp);
  const senders = difference((wanted ?? all).sets.pass, ALL_IPV4);
  if (senders.length === 0 || all.errors.length > 0) return all;
  const own = await evaluateSpfText(text, name, lookUp, { addresses: senders });
  const sets = byResult((result) => union(difference(all.sets[result], senders), own.sets[result]));
  // Only void look-ups differ between the families: all other errors have ended the evaluation for all addresses.
  const errors = own.errors.map((error): SpfError => (error.kind === 'voids' ? { ...error, kind: 'voids6' } : error));
  return { ...all, sets, errors, voids: findPermerror(own) === null ? all.voids : own.voids };
}
