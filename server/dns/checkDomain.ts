import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import type { Asker } from './asker.ts';
import { checkRecord, type Checked } from './checkRecord.ts';
import { expectationsOf, type SendingDomain, UnreadableExpectation } from './expectation.ts';

/** A record as the service describes it, and what the DNS says about it now. */
export type RecordCheck = {
  domain: string;
  index: number;
  record: ReadableDnsRecord;
  finding: Finding;
  /** Seconds for which resolvers may remember what was found; 0 when nothing was. */
  ttl: number;
};

/**
 * Checks the records of `domain` side by side and gives each when it is known; `index` is its place in the domain. After
 * `signal` nothing more is asked, and what is still given means nothing.
 */
export async function* checkDomain(
  asker: Asker,
  domain: SendingDomain,
  signal?: AbortSignal,
): AsyncGenerator<RecordCheck, void, void> {
  const askerFor = asker.startRun(signal);
  const records = domain.dns ?? [];
  const checks = expectationsOf(domain).map(async (expected, index): Promise<RecordCheck> => {
    const record = records[index] ?? { type: null, name: null, value: null, is_valid: null };
    const found =
      expected instanceof UnreadableExpectation ? unreadable(expected) : await checkRecord(asker, askerFor(), expected);
    return { domain: domain.name, index, record, ...found };
  });
  yield* inOrderOfArrival(checks);
}

/** The same when all are known, in the order of the domain. */
export async function checkWholeDomain(asker: Asker, domain: SendingDomain): Promise<RecordCheck[]> {
  const checks = await Array.fromAsync(checkDomain(asker, domain));
  return checks.toSorted((one, other) => one.index - other.index);
}

/** The values of `promises`, the earliest first. */
async function* inOrderOfArrival<Value>(promises: readonly Promise<Value>[]): AsyncGenerator<Value, void, void> {
  const waiting = new Map(promises.map((promise, key) => [key, promise.then((value) => ({ key, value }))]));
  while (waiting.size > 0) {
    const { key, value } = await Promise.race(waiting.values());
    waiting.delete(key);
    yield value;
  }
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
