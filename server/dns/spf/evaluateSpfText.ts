import type { ResourceRecord } from '../message.ts';
import type { LookUp } from '../resolution.ts';
import { ALL_ADDRESSES } from './addressSet.ts';
import { evaluateSpf } from './evaluateSpf.ts';
import type { SpfEvaluation, SpfInput } from './evaluation.ts';
import { RECORD_MAX } from './parseSpf.ts';

/** Evaluates SPF as if `text` were the only TXT record at `name`; for all addresses by default. */
export async function evaluateSpfText(
  text: string,
  name: string,
  lookUp: LookUp,
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
