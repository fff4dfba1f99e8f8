import { basisOf, judge, type Judgement } from './catalogue/catalogue.ts';
import { classifyExchangeError, toUsableResponse } from './conversation/exchange.ts';
import type { Inspection } from './inspection.ts';
import { findBrokenZone } from './servers/brokenDnssec.ts';
import { parseSpf } from './spf/evaluation/parseSpf.ts';
import { normalizeTerm } from './spf/mergeSpf.ts';
import type { RecordType } from './wire/message.ts';
import type { ExpectedRecord } from './expectedRecord.ts';

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

const CHAIN_MAX = 8;

/**
 * The judgement when the name that a record leads to has a lasting error: broken DNSSEC, or a loop of aliases. Null
 * when the look-up of `name`, by which `judgement` says that nothing is known, failed for another reason.
 */
export async function explainUnasked(
  inspection: Inspection,
  judgement: Judgement,
  { name, type }: { name: string; type: RecordType },
): Promise<Judgement | null> {
  const { conversation, expected, evidence } = inspection;
  if (judgement.code !== 'TARGET_NOT_ASKED' && judgement.code !== 'SPF_NOT_ASKED') return null;
  const checked = await conversation.resolve(name, type);
  if (checked === null || typeof checked.answer === 'string' || checked.answer.rcode !== 'SERVFAIL') return null;
  const hasTerm = (term: string) =>
    parseSpf(expected.value).terms.some(({ text }) => normalizeTerm(text) === normalizeTerm(term));
  const isExpected = judgement.code === 'TARGET_NOT_ASKED' || hasTerm(judgement.facts.term);
  const facts = { target: name, asked: type, isExpected };
  const unchecked = await conversation.resolve(name, type, { isUnchecked: true });
  const response = toUsableResponse(unchecked);
  if (unchecked !== null && response !== null) {
    const aliases = response.answers.filter((data) => data.type === 'CNAME').map(({ value }) => value.toLowerCase());
    const broken = await findBrokenZoneAmong(inspection, [name, ...aliases]);
    // If no zone is broken, the error may have been temporary.
    const again =
      broken === null ? await conversation.query(checked.server, checked.query, { isRepeated: true }) : checked;
    if (classifyExchangeError(again) !== 'SERVFAIL') return null;
    evidence.push(unchecked);
    return judge('TARGET_BOGUS', { ...facts, broken, reason: checked.answer.reason ?? '' }, basisOf(judgement));
  }
  return (await isInCircle(inspection, name)) ? judge('TARGET_LOOP', facts, basisOf(judgement)) : null;
}

/** The first broken zone that a chain of aliases leads through; null when it is not known. */
async function findBrokenZoneAmong({ conversation }: Inspection, names: readonly string[]): Promise<string | null> {
  for (const name of names.slice(0, CHAIN_MAX)) {
    const found = await findBrokenZone(conversation, name);
    const checked = found && (await conversation.resolve(found.zone, 'SOA'));
    if (found !== null && checked !== null && classifyExchangeError(checked) === 'SERVFAIL') return found.zone;
  }
  return null;
}

async function isInCircle({ conversation }: Inspection, name: string): Promise<boolean> {
  const steps = new Set<string>();
  for (let at = name; steps.size < CHAIN_MAX;) {
    if (steps.has(at)) return true;
    steps.add(at);
    const answers = toUsableResponse(await conversation.resolve(at, 'CNAME'))?.answers ?? [];
    const alias = answers.find((data) => data.type === 'CNAME' && data.name === at);
    if (alias === undefined) return false;
    at = alias.value.toLowerCase();
  }
  return false;
}
