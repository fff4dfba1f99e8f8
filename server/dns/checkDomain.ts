import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { type Advice, advise } from './advice.ts';
import { limitFinding } from './limitFinding.ts';
import { judge, type Judgement } from './catalogue/catalogue.ts';
import { checkRecord, type RecordCheckResult } from './checkRecord.ts';
import type { DnsClient } from './dnsClient.ts';
import {
  type ExpectedRecord,
  parseExpectedRecords,
  type SendingDomain,
  UnreadableRecordError,
} from './expectedRecord.ts';
import { asCompleted } from './asCompleted.ts';
import { toFinding } from './toFinding.ts';
import { CheckRun } from './checkRun.ts';

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

/** Following an SPF record to its end takes up to 10 look-ups more, and those of what is expected. */
const SPF_QUESTIONS_MAX = 40;

export type CheckOptions = {
  /** After it nothing more is asked, and what is still given means nothing. */
  signal?: AbortSignal;
  /** Is told of a fault of ours, which is an `unknown` of the record that it hit. */
  onError: (fault: unknown) => void;
};

/** Checks the records of `domain` side by side and gives each when it is known; then what else matters to its mail. */
export async function* checkDomain(
  client: DnsClient,
  domain: SendingDomain,
  { signal, onError }: CheckOptions,
): AsyncGenerator<RecordCheck | Advice, void, void> {
  const run = CheckRun.start(client, signal);
  const records = domain.dns ?? [];
  const expected = parseExpectedRecords(domain);
  const checks = expected.map(async (one, index): Promise<RecordCheck> => {
    const record = records[index] ?? { type: null, name: null, value: null, is_valid: null };
    const { finding, ttl } = await check(run, domain, one).catch((fault: unknown) => {
      onError(fault);
      return presentUnchecked(domain, one, judge('CHECK_FAILED', {}));
    });
    return { kind: 'record', domain: domain.name, index, record, finding: limitFinding(finding), ttl };
  });
  yield* asCompleted(checks);
  // Only now, so that no record waits for advice, or lacks the questions that it took.
  const listed = expected.flatMap((one) => (one instanceof UnreadableRecordError ? [] : one));
  for await (const one of advise(run, domain, listed, onError)) yield { ...one, finding: limitFinding(one.finding) };
}

/** The same when all is known, the records in the order of the domain. */
export async function checkWholeDomain(
  client: DnsClient,
  domain: SendingDomain,
  options: CheckOptions,
): Promise<{ records: RecordCheck[]; advice: Advice[] }> {
  const lines = await Array.fromAsync(checkDomain(client, domain, options));
  const records = lines.filter((line) => line.kind === 'record').toSorted((one, other) => one.index - other.index);
  return { records, advice: lines.filter((line) => line.kind === 'advice') };
}

async function check(
  run: CheckRun,
  domain: SendingDomain,
  one: ExpectedRecord | UnreadableRecordError,
): Promise<RecordCheckResult> {
  if (one instanceof UnreadableRecordError) {
    if (one.cause !== undefined) throw one.cause as Error;
    return presentUnchecked(domain, one, one.judgement);
  }
  const questions = one.purpose === 'spf' ? SPF_QUESTIONS_MAX : run.client.limits.questionsPerRecord;
  return checkRecord(run.withQueryLimit(questions), one);
}

/** What is said of a record that nobody was asked about. */
function presentUnchecked(
  { name: domain }: SendingDomain,
  one: ExpectedRecord | UnreadableRecordError,
  judgement: Judgement,
): RecordCheckResult {
  const { name, type } = one instanceof UnreadableRecordError ? { name: '', type: '' } : one;
  const finding = toFinding(judgement, {
    role: 'record',
    domain,
    name,
    type,
    zone: null,
    serverNames: [],
    expected: null,
    found: [],
    offer: null,
    evidence: [],
  });
  // Of a fault of ours it may still be asked by hand; what cannot be read is a question for nobody.
  return { ttl: 0, finding: name === '' ? { ...finding, dig: '' } : finding };
}
