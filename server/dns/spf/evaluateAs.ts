import type { Data } from '../message.ts';
import type { LookUp } from '../resolution.ts';
import { EVERYBODY } from './addressSet.ts';
import { evaluateSpf } from './evaluateSpf.ts';
import type { Evaluation, SpfQuestion } from './evaluation.ts';
import { RECORD_MAX } from './parseSpf.ts';

/** What it would come to, for everybody unless said, if `text` were the only TXT record at `name`. */
export async function evaluateAs(
  text: string,
  name: string,
  lookUp: LookUp,
  more: Pick<Partial<SpfQuestion>, 'addresses' | 'limits'> = {},
): Promise<Evaluation> {
  const record: Data = { name, type: 'TXT', ttl: 0, value: text, priority: null };
  const published: LookUp = async (asked, type) =>
    asked === name && type === 'TXT'
      ? { name, type, records: [record], isNxdomain: false, reason: '' }
      : lookUp(asked, type);
  const everybody = { addresses: EVERYBODY, sender: null, helo: null };
  return evaluateSpf({ domain: name, ...everybody, lookUp: published, charactersMax: RECORD_MAX, ...more });
}
