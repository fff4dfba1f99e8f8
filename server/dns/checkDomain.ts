import type { ReadableDnsRecord } from '#contract/domain.ts';
import type { Asker } from './asker.ts';
import { type CheckedRecord, checkRecord } from './checkRecord.ts';
import { expectationsOf, type SendingDomain, UnreadableExpectation } from './expectation.ts';

/** A record as the service describes it, and what the DNS says about it now. */
export type RecordCheck = {
  domain: string;
  record: ReadableDnsRecord;
  check: Omit<CheckedRecord, 'code'> & { code: CheckedRecord['code'] | UnreadableExpectation['code'] };
};

/** Checks the records of `domain` side by side and gives them in their order. */
export async function checkDomain(asker: Asker, domain: SendingDomain): Promise<RecordCheck[]> {
  const askerFor = asker.startRun();
  const records = domain.dns ?? [];
  return Promise.all(
    expectationsOf(domain).map(async (expected, index) => {
      const record = records[index] ?? { type: null, name: null, value: null, is_valid: null };
      const check =
        expected instanceof UnreadableExpectation
          ? unreadable(expected)
          : await checkRecord(asker, askerFor(), expected);
      return { domain: domain.name, record, check };
    }),
  );
}

function unreadable({ code, message }: UnreadableExpectation): RecordCheck['check'] {
  return { result: 'unknown', code, found: [], diagnosis: message, fix: null, until: null, evidence: [], dig: '' };
}
