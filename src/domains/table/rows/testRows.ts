import type { ReadableDomainReport } from '#contract/domains/domainReport.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { domainWith } from '../../../testing/testCheck.ts';

// For tests: domains and their reports.

export const SINCE = '2026-01-02T00:00:00.000Z';
export const CHECKED_AT = '2026-02-03T00:00:00.000Z';

export const dkim = (is_valid: boolean | null, number = 1) => ({
  type: 'CNAME',
  name: `k${number}._domainkey.x.test`,
  value: 'y.test',
  is_valid,
});

/** A domain with these DKIM records, which its provider calls right. */
export const domainOf = (verdicts: (boolean | null)[], name = 'x.test'): ReadableDomain => ({
  ...domainWith(...verdicts.map((is_valid, index) => dkim(is_valid, index + 1))),
  uuid: name,
  name,
  verified: true,
  status: 'completed',
  verification: 'completed',
  mail_from_verified: true,
});

type Verdict = ReadableDomainReport['verdicts'][number];

/** `about` is an index of a record, or what advice is about. */
export const verdictOf = (about: number | string, result: RecordStatus, rest: Partial<Verdict> = {}): Verdict => ({
  kind: typeof about === 'number' ? 'record' : 'advice',
  subject: typeof about === 'number' ? `CNAME k${about + 1}._domainkey.x.test` : about,
  index: typeof about === 'number' ? about : null,
  result,
  code: `${result.toUpperCase()}_CODE`,
  turn: null,
  cause: null,
  since: SINCE,
  checked_at: CHECKED_AT,
  before: null,
  accepted: null,
  ...rest,
});

export const ACCEPTED: Verdict['accepted'] = {
  uuid: '00000000-0000-4000-8000-000000000001',
  domain: { uuid: 'x.test', name: 'x.test' },
  subject: 'CNAME k1._domainkey.x.test',
  code: 'FAIL_CODE',
  found: [],
  reason: 'An old selector',
  accepted_at: SINCE,
  until: '2027-01-01T00:00:00.000Z',
  ended_at: null,
  actor: { kind: 'token', uuid: null, name: 'ops', email: null },
};

export const reportOf = (
  domain: ReadableDomain,
  verdicts: readonly Verdict[],
  rest: Partial<ReadableDomainReport> = {},
): ReadableDomainReport => ({
  domain,
  state: 'failing',
  sends_bulk: true,
  checked_at: CHECKED_AT,
  changed_at: SINCE,
  address_count: 0,
  receivers: { gmail: 'unknown', yahoo: 'unknown', outlook: 'unknown', apple: 'unknown', gmx: 'unknown' },
  verdicts: [...verdicts],
  ...rest,
});
