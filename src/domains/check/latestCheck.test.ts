import { expect, test } from 'vitest';
import { createFinding, createLiveCheck, createRecord, createRecordLine, domainWith } from '../../testing/testCheck.ts';
import { checkOfReport, mergeChecks, type ReadReport } from './latestCheck.ts';
import { findLatestFindings, type LiveCheck } from './liveCheck.ts';

const DOMAIN = domainWith(createRecord('TXT', 'a.x.test', 'one'), createRecord('TXT', 'b.x.test', 'two'));

const at = (check: LiveCheck, checked_at: string): LiveCheck => ({
  ...check,
  completion: check.completion && { ...check.completion, checked_at },
});

const EARLY = '2026-03-04T05:06:07.000Z';
const LATE = '2026-03-04T06:00:00.000Z';
const codesOf = (check: LiveCheck | undefined) =>
  findLatestFindings(DOMAIN.dns, check).map((one) => one && `${one.finding.code}${one.isEarlier ? ', earlier' : ''}`);

const STORED = createLiveCheck(DOMAIN, { code: 'STORED' }, { code: 'STORED' });
const LIVE = createLiveCheck(DOMAIN, { code: 'LIVE' }, { code: 'LIVE' });

test.each([
  ['nothing is known before any check', undefined, null, [undefined, undefined]],
  ['what is stored shows without a check in this tab', undefined, at(STORED, EARLY), ['STORED', 'STORED']],
  ['a service that stores nothing shows what this tab found', at(LIVE, EARLY), null, ['LIVE', 'LIVE']],
  ['the same check is stored: that of this tab has its evidence', at(LIVE, EARLY), at(STORED, EARLY), ['LIVE', 'LIVE']],
  ['someone else has checked since', at(LIVE, EARLY), at(STORED, LATE), ['STORED', 'STORED']],
  ['what is stored is older', at(LIVE, LATE), at(STORED, EARLY), ['LIVE', 'LIVE']],
  [
    'a running check has found one record',
    { lines: [createRecordLine(DOMAIN, 0, { code: 'LIVE' })], earlierLines: [], completion: null },
    at(STORED, EARLY),
    ['LIVE', 'STORED, earlier'],
  ],
] as const)('%s', (_, live, stored, codes) => {
  expect(codesOf(mergeChecks(live, stored))).toEqual(codes);
});

const verdict = (kind: 'record' | 'advice' | 'watch', subject: string, index: number | null) => ({
  kind,
  subject,
  index,
  result: 'ok' as const,
  code: subject,
  turn: null,
  cause: null,
  since: EARLY,
  checked_at: EARLY,
  before: null,
  accepted: null,
  finding: createFinding({ result: 'ok', code: subject }),
});

const REPORT: ReadReport = {
  domain: DOMAIN,
  state: 'healthy',
  sends_bulk: true,
  checked_at: EARLY,
  changed_at: null,
  address_count: 0,
  next_check_at: null,
  dkim_keys: [],
  receivers: { gmail: 'unknown', yahoo: 'unknown', outlook: 'unknown', apple: 'unknown', gmx: 'unknown' },
  verdicts: [
    verdict('record', 'TXT b.x.test', 1),
    verdict('record', 'TXT gone.x.test', null),
    verdict('advice', 'dmarc', null),
    verdict('watch', 'ns', null),
  ],
};

test('a report has the findings about listed records and the advice, and not what is watched or no longer listed', () => {
  const check = checkOfReport(REPORT);
  expect(codesOf(check ?? undefined)).toEqual([undefined, 'TXT b.x.test']);
  expect(check?.lines.map((line) => line.finding.code)).toEqual(['TXT b.x.test', 'dmarc']);
  expect(checkOfReport({ ...REPORT, checked_at: null })).toBeNull();
});
