import { findBrokenZone } from './servers/brokenDnssec.ts';
import { type CheckRun, classifyExchangeError, toUsableResponse } from './conversation/conversation.ts';
import type { Inspection } from './inspection.ts';
import type { RecordType } from './wire/message.ts';
import { normalizeTerm } from './spf/mergeSpf.ts';
import { parseSpf } from './spf/evaluation/parseSpf.ts';
import { createVerdict, type Verdict } from './verdict.ts';

const CHAIN_MAX = 8;

/**
 * The verdict when the name that a record leads to has a fault that stays: broken DNSSEC, or aliases in a circle. Null when
 * the look-up of `name`, by which `verdict` says that nothing is known, failed for another reason.
 */
export async function explainUnasked(
  { run, expected, evidence }: Inspection,
  verdict: Verdict,
  { name, type }: { name: string; type: RecordType },
): Promise<Verdict | null> {
  const { judgement } = verdict;
  if (judgement.code !== 'TARGET_NOT_ASKED' && judgement.code !== 'SPF_NOT_ASKED') return null;
  const checked = await run.resolve(name, type);
  if (checked === null || typeof checked.answer === 'string' || checked.answer.rcode !== 'SERVFAIL') return null;
  const isExpected = judgement.code === 'TARGET_NOT_ASKED' || hasTerm(expected.value, judgement.facts.term);
  const facts = { target: name, asked: type, isExpected };
  const unchecked = await run.resolve(name, type, { isUnchecked: true });
  const response = unchecked && toUsableResponse(unchecked);
  if (unchecked !== null && response !== null) {
    const aliases = response.answers.filter((data) => data.type === 'CNAME').map(({ value }) => value.toLowerCase());
    const broken = await findBrokenZoneAmong(run, [name, ...aliases]);
    // Where no zone is broken, the fault may have passed.
    const again = broken === null ? await run.query(checked.server, checked.query, { isRepeated: true }) : checked;
    if (classifyExchangeError(again) !== 'SERVFAIL') return null;
    evidence.push(unchecked);
    return createVerdict(verdict, 'TARGET_BOGUS', { ...facts, broken, reason: checked.answer.reason ?? '' });
  }
  return (await isInCircle(run, name)) ? createVerdict(verdict, 'TARGET_LOOP', facts) : null;
}

/** Whether an SPF record has a term. */
function hasTerm(record: string, term: string): boolean {
  return parseSpf(record).terms.some(({ text }) => normalizeTerm(text) === normalizeTerm(term));
}

/** The first broken zone that a chain of aliases leads through; null when it is not known. */
async function findBrokenZoneAmong(run: CheckRun, names: readonly string[]): Promise<string | null> {
  for (const name of names.slice(0, CHAIN_MAX)) {
    const found = await findBrokenZone(run, name);
    const checked = found && (await run.resolve(found.zone, 'SOA'));
    if (found !== null && checked !== null && classifyExchangeError(checked) === 'SERVFAIL') return found.zone;
  }
  return null;
}

/** Whether the aliases from `name` on lead back to one of them. */
async function isInCircle(run: CheckRun, name: string): Promise<boolean> {
  const steps = new Set<string>();
  for (let at = name; steps.size < CHAIN_MAX;) {
    if (steps.has(at)) return true;
    steps.add(at);
    const exchange = await run.resolve(at, 'CNAME');
    const answers = (exchange && toUsableResponse(exchange)?.answers) ?? [];
    const alias = answers.find((data) => data.type === 'CNAME' && data.name === at);
    if (alias === undefined) return false;
    at = alias.value.toLowerCase();
  }
  return false;
}
