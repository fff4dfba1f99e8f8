import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReadableAcceptance } from '#contract/domains/domainReport.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { createFinding, createRecordLine, createReport } from '../../testing/testReport.ts';
import { Baseline } from './baseline.ts';
import { FORMATS } from './formats/formats.ts';
import type { ReportLine } from './report.ts';

const RECORD = { type: 'TXT', name: 'a.test', value: 'v', is_valid: null };
const SUBJECT = 'TXT a.test';
const HELD: ReadableAcceptance = {
  uuid: '00000000-0000-4000-8000-000000000001',
  domain: { uuid: '00000000-0000-4000-8000-000000000002', name: 'a.test' },
  subject: SUBJECT,
  code: 'WRONG_VALUE',
  found: ['x', 'y'],
  reason: 'The agency moves it',
  accepted_at: '2026-01-01T00:00:00.000Z',
  until: '9999-01-01T00:00:00.000Z',
  ended_at: null,
  actor: { kind: 'token', uuid: null, name: 'ci', email: null },
};

const check = (code: string, result: RecordStatus = 'fail', found = ['y', 'x']) =>
  ({ kind: 'record', record: RECORD, ttl: 0, finding: createFinding(code, result, { found }) }) as const;

test.each<[string, Partial<ReadableAcceptance>, string, boolean]>([
  ['a fault that somebody accepts in a service', {}, SUBJECT, true],
  ['in another spelling of the domain', { domain: { ...HELD.domain, name: 'A.test.' } }, SUBJECT, true],
  ['another fault of it', { code: 'NAME_MISSING' }, SUBJECT, false],
  ['that of a second record with its type and name', {}, `${SUBJECT} #2`, false],
  ['that of another domain', { domain: { ...HELD.domain, name: 'b.test' } }, SUBJECT, false],
  ['one whose time is over', { until: '2020-01-01T00:00:00.000Z' }, SUBJECT, false],
  ['one that ended', { ended_at: '2026-02-01T00:00:00.000Z' }, SUBJECT, false],
])('%s', (_, change, subject, isAccepted) => {
  const baseline = new Baseline();
  baseline.add([{ ...HELD, ...change }]);
  expect(baseline.accepts('a.test', check('WRONG_VALUE'), subject)).toBe(isAccepted);
});

test.each<[string, ReturnType<typeof check>, boolean]>([
  ['another value', check('WRONG_VALUE', 'fail', ['x', 'z']), false],
  ['one value of two', check('WRONG_VALUE', 'fail', ['x']), false],
  ['nothing, because it could not ask', check('TIMEOUT', 'unknown', []), true],
  ['that the right value spreads', check('SPREADING', 'pending', ['v']), true],
])('a fault that is accepted, of which a check finds %s', async (_, found, isAccepted) => {
  const saved = new Baseline();
  saved.add([HELD]);
  expect(saved.accepts('a.test', found, SUBJECT)).toBe(isAccepted);
  const report = new Baseline();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'baseline-'));
  const file = join(folder.path, 'known.json');
  await writeFile(file, FORMATS.json(createReport(createRecordLine('TXT', 'a.test', check('WRONG_VALUE').finding))));
  await report.read(file);
  const { record } = createRecordLine('TXT', 'a.test', found.finding) as Extract<ReportLine, { kind: 'record' }>;
  expect(report.accepts('a.test', { ...found, record }, 'not of a service')).toBe(isAccepted);
});

test('one that is no longer needed is listed', () => {
  const baseline = new Baseline();
  baseline.add([HELD]);
  const fixedWith = (line: Omit<ReportLine, 'isAccepted' | 'isFailing'>) =>
    baseline.listFixed([
      {
        domain: { name: 'a.test', mail_from_domain: null, dns: [RECORD] },
        checkedAtMs: 0,
        durationMs: 0,
        lines: [{ ...line, isAccepted: false, isFailing: false } as ReportLine],
        watched: [],
      },
    ]);
  const line = { ...check('WRONG_VALUE'), subject: SUBJECT };
  expect(fixedWith(line)).toEqual([]);
  expect(fixedWith({ ...line, finding: createFinding('OK', 'ok') })).toEqual([
    { domain: 'a.test', title: SUBJECT, code: 'WRONG_VALUE' },
  ]);
});
