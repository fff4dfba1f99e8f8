import { judge, type Judgement } from '../catalogue/catalogue.ts';
import { judgeDkim } from '../dkim/judgeDkim.ts';
import type { ExpectedRecord } from '../expectedRecord.ts';
import type { Inspection } from '../inspection.ts';
import { detectCorruption } from '../text/detectCorruption.ts';
import type { ResourceRecord } from '../wire/message.ts';
import { foldName, isKeyName } from '../wire/names.ts';

export async function judgeCname(inspection: Inspection, records: readonly ResourceRecord[]): Promise<Judgement> {
  const { expected } = inspection;
  const targets = new Set(records.map(({ value }) => foldName(value)));
  if (targets.size > 1) return judge('SEVERAL_CNAMES', { targets: [...targets].toSorted() });
  const [target = ''] = targets;
  if (target === expected.value) return judgeTarget(inspection);
  return isDoubled(target, inspection) ? judgeDoubledTarget(expected) : judgeWrongTarget([target], expected);
}

/** Judges names that are not the expected one. Invisible characters may be the only difference. */
export function judgeWrongTarget(targets: readonly string[], { value }: ExpectedRecord): Judgement {
  const spoilt = targets.map((target) => detectCorruption(target, (repaired) => foldName(repaired) === value));
  return spoilt.find((one) => one !== null) ?? judge('WRONG_TARGET', { user: null });
}

async function judgeTarget({
  expected: { name, value: target, hasOtherKeys: hasOthers },
  lookUp,
}: Inspection): Promise<Judgement> {
  const isKey = isKeyName(name);
  const { records, isNxdomain, reason } = await lookUp(target, isKey ? 'TXT' : 'A');
  if (!isKey) return isNxdomain ? judge('TARGET_NOT_THERE', { target }) : judge('MATCH', {});
  if (records === null) return judge('TARGET_NOT_ASKED', { target, asked: 'TXT', reason });
  const texts = records.map(({ value }) => value);
  return judgeDkim({ texts, expected: null, by: 'provider', hasOthers }) ?? judge('DKIM_KEY_MISSING', { target });
}

export function isDoubled(target: string, { expected: { value, domain }, zone }: Inspection): boolean {
  return [zone, domain].some((suffix) => suffix !== null && target === `${value}.${suffix}`);
}

export const judgeDoubledTarget = ({ value }: ExpectedRecord) => judge('TARGET_DOUBLED', {}, { offer: `${value}.` });
