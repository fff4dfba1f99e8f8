import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domains/domain.ts';
import { type Advice, advise, type AdviceOptions, type Watch } from './advice.ts';
import { asCompleted } from './asCompleted.ts';
import { judge, type Judgement } from './catalogue/catalogue.ts';
import { checkRecord, type RecordCheckResult } from './checkRecord.ts';
import type { DnsClient } from './conversation/dnsClient.ts';
import {
  type ExpectedRecord,
  parseExpectedRecords,
  type SendingDomain,
  UnreadableRecordError,
} from './expectedRecord.ts';
import { toFinding } from './finding/toFinding.ts';
import { Conversation } from './conversation/conversation.ts';

export type RecordCheck = {
  kind: 'record';
  domain: string;
  index: number;
  record: ReadableDnsRecord;
  finding: Finding;
  ttl: number;
};

/**
 * Query limit of one record. Two SPF records are evaluated, with up to 10 look-ups each. The 10 hosts of one
 * "mx" alone take 30: A, AAAA, and a missing AAAA once more over TCP.
 */
const SPF_QUESTIONS_MAX = 70;

/** A record concerned by an error in this program gets an `unknown` finding. */
type CheckOptions = AdviceOptions & {
  signal?: AbortSignal;
};

export async function* checkDomain(
  client: DnsClient,
  domain: SendingDomain,
  { signal, ...options }: CheckOptions,
): AsyncGenerator<RecordCheck | Advice | Watch, void, void> {
  const conversation = Conversation.start(client, signal);
  const records = domain.dns ?? [];
  const expected = parseExpectedRecords(domain);
  const check = async (one: ExpectedRecord | UnreadableRecordError): Promise<RecordCheckResult> => {
    if (!(one instanceof UnreadableRecordError)) {
      const questions = one.purpose === 'spf' ? SPF_QUESTIONS_MAX : client.limits.questionsPerRecord;
      return checkRecord(conversation.withQueryLimit(questions), one);
    }
    if (one.cause !== undefined) throw one.cause as Error;
    return presentUnchecked(domain, one, one.judgement);
  };
  const checks = expected.map(async (one, index): Promise<RecordCheck> => {
    const record = records[index] ?? { type: null, name: null, value: null, is_valid: null };
    const { finding, ttl } = await check(one).catch((error: unknown) => {
      options.onError(error);
      return presentUnchecked(domain, one, judge('CHECK_FAILED', {}));
    });
    return { kind: 'record', domain: domain.name, index, record, finding, ttl };
  });
  yield* asCompleted(checks);
  // Last, so that advice neither delays the records nor uses up their queries.
  const listed = expected.flatMap((one) => (one instanceof UnreadableRecordError ? [] : one));
  yield* advise(conversation, domain, listed, options);
}

export async function checkWholeDomain(
  client: DnsClient,
  domain: SendingDomain,
  options: CheckOptions,
): Promise<{ records: RecordCheck[]; advice: Advice[]; watched: Watch[] }> {
  const lines = await Array.fromAsync(checkDomain(client, domain, options));
  const records = lines.filter((line) => line.kind === 'record').toSorted((one, other) => one.index - other.index);
  return {
    records,
    advice: lines.filter((line) => line.kind === 'advice'),
    watched: lines.filter((line) => line.kind === 'watch'),
  };
}

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
    evidence: [],
    confirmation: null,
  });
  // After an internal error the query can be repeated by hand. For an invalid record there is no query.
  return { ttl: 0, finding: name === '' ? { ...finding, dig: '' } : finding };
}
