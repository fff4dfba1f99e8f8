import type { Judgement } from './catalogue/catalogue.ts';
import type { ExpectedRecord } from './expectedRecord.ts';
import type { RecordType } from './wire/message.ts';

/** The look-up that a judgement is based on; null when the record itself shows it. */
export function decisiveLookUp(
  { code, facts }: Judgement,
  expected: Pick<ExpectedRecord, 'type' | 'value'> | null,
): { name: string; type: RecordType } | null {
  if (code === 'SPF_NOT_ASKED' || code === 'TARGET_NOT_ASKED' || code === 'TARGET_BOGUS' || code === 'TARGET_LOOP')
    return { name: facts.target, type: facts.asked as RecordType };
  if (code === 'TARGET_NOT_THERE') return { name: facts.target, type: 'A' };
  if (code === 'MX_TARGET_WITHOUT_ADDRESS' || code === 'MX_TARGET_PRIVATE' || code === 'MX_TARGET_IS_ALIAS')
    return { name: facts.host, type: 'A' };
  if (code === 'SPF_TOO_MANY_MX') return { name: facts.target, type: 'MX' };
  if ('target' in facts && typeof facts.target === 'string') return { name: facts.target, type: 'TXT' };
  const isKeyOfProvider = expected?.type === 'CNAME' && 'by' in facts && facts.by === 'provider';
  return isKeyOfProvider ? { name: expected.value, type: 'TXT' } : null;
}
