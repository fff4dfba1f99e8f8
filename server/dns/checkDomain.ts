import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { type Advice, advise } from './advice.ts';
import type { Asker } from './asker.ts';
import { bounded } from './boundedFinding.ts';
import { checkRecord, type Checked } from './checkRecord.ts';
import { expectationsOf, type SendingDomain, UnreadableExpectation } from './expectation.ts';
import { inOrderOfArrival } from './inOrderOfArrival.ts';

/** A record as the service describes it, and what the DNS says about it now. */
export type RecordCheck = {
  kind: 'record';
  domain: string;
  /** Its place in the domain. */
  index: number;
  record: ReadableDnsRecord;
  finding: Finding;
  /** Seconds for which resolvers may remember what was found; 0 when nothing was. */
  ttl: number;
};

const ADVICE_QUESTIONS_MAX = 20;

/**
 * Checks the records of `domain` side by side and gives each when it is known; then what else matters to its mail. After
 * `signal` nothing more is asked, and what is still given means nothing.
 */
export async function* checkDomain(
  asker: Asker,
  domain: SendingDomain,
  signal?: AbortSignal,
): AsyncGenerator<RecordCheck | Advice, void, void> {
  const askerFor = asker.startRun(signal);
  const records = domain.dns ?? [];
  const expected = expectationsOf(domain);
  const checks = expected.map(async (one, index): Promise<RecordCheck> => {
    const record = records[index] ?? { type: null, name: null, value: null, is_valid: null };
    const { finding, ttl } =
      one instanceof UnreadableExpectation ? unreadable(one) : await checkRecord(asker, askerFor(), one);
    return { kind: 'record', domain: domain.name, index, record, finding: bounded(finding), ttl };
  });
  yield* inOrderOfArrival(checks);
  // Only now, so that no record waits for advice, or lacks the questions that it took.
  const listed = expected.flatMap((one) => (one instanceof UnreadableExpectation ? [] : one));
  const advice = advise(asker, askerFor(ADVICE_QUESTIONS_MAX), domain, listed);
  for await (const one of advice) yield { ...one, finding: bounded(one.finding) };
}

/** The same when all is known, the records in the order of the domain. */
export async function checkWholeDomain(
  asker: Asker,
  domain: SendingDomain,
): Promise<{ records: RecordCheck[]; advice: Advice[] }> {
  const lines = await Array.fromAsync(checkDomain(asker, domain));
  const records = lines.filter((line) => line.kind === 'record').toSorted((one, other) => one.index - other.index);
  return { records, advice: lines.filter((line) => line.kind === 'advice') };
}

function unreadable({ code, message }: UnreadableExpectation): Checked {
  return {
    ttl: 0,
    finding: {
      result: 'unknown',
      code,
      expected: null,
      found: [],
      diagnosis: message,
      fix: null,
      until: null,
      evidence: [],
      dig: '',
    },
  };
}
