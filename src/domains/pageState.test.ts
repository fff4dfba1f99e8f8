import { expect, test } from 'vitest';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { createFinding, domainWith } from '../testing/testCheck.ts';
import { must } from '#contract/values/must.ts';
import { ACCEPTED, verdictOf } from './table/rows/testRows.ts';
import { listItems } from './records/items.ts';
import { describePageState } from './pageState.ts';

const records = (verdicts: readonly (boolean | null)[]) =>
  verdicts.map((is_valid, at) => ({ type: 'TXT', name: `${at}.x.test`, value: 'a', is_valid }));

type Case = { stored: boolean[]; found?: RecordStatus[]; dmarc?: RecordStatus; status?: string; verified?: boolean };

function say({ stored, found = [], dmarc, status = 'completed', verified = true }: Case, addresses?: number) {
  const domain = {
    ...domainWith(...records(stored)),
    status,
    verification: status,
    verified,
    mail_from_verified: true,
  };
  const check = {
    lines: [
      ...found.map((result, index) => ({
        kind: 'record' as const,
        index,
        record: domain.dns?.[index] ?? { type: null, name: null, value: null, is_valid: null },
        finding: createFinding({ result }),
      })),
      ...(dmarc === undefined
        ? []
        : [{ kind: 'advice' as const, about: 'dmarc', finding: createFinding({ result: dmarc }) }]),
    ],
    earlierLines: [],
    completion: null,
  };
  const { label, rest } = describePageState(domain, listItems(domain, check, undefined, false), addresses);
  return `${label}: ${rest}`;
}

const BAD = { status: 'failed', verified: false };

test.each<[string, Case, number | undefined]>([
  ['OK: 2 of 2', { stored: [true, true] }, 11],
  ['OK: 2 of 2', { stored: [true, true], found: ['ok', 'ok'], dmarc: 'ok' }, 0],
  ['Needs fixing: 1 of 2 · 11 addresses affected', { ...BAD, stored: [true, false] }, 11],
  ['Needs fixing: 2 of 2 · 1 address affected', { ...BAD, stored: [true, false], found: ['fail', 'fail'] }, 1],
  ['Needs fixing: 1 of 2 · 3 addresses affected', { stored: [true, true], found: ['fail', 'ok'] }, 3],
  ['Needs fixing: 1 of 2, DMARC', { stored: [true, true], found: ['fail', 'ok'], dmarc: 'fail' }, undefined],
  ['Needs fixing: DMARC', { stored: [true], found: ['ok'], dmarc: 'fail' }, 0],
  ['Propagating: 1 of 2', { stored: [true, true], found: ['pending', 'ok'] }, 5],
  ['Being set up: 1 of 2 records OK', { stored: [true, false], status: 'pending', verified: false }, 5],
  [
    'Being set up: all records are OK, waiting for the provider',
    { stored: [true, true], found: ['ok', 'ok'], status: 'pending', verified: false },
    5,
  ],
  ['Being set up: waiting for the provider', { stored: [], status: 'pending', verified: false }, 5],
  ['Needs fixing: 1 of 2', { stored: [true, false], found: ['ok', 'fail'], status: 'pending' }, 0],
  ['Advice: DMARC · nothing needs fixing', { stored: [true], found: ['ok'], dmarc: 'warn' }, 5],
])('%s', (words, known, addresses) => expect(say(known, addresses)).toBe(words));

test('an accepted fault is counted by itself', () => {
  const domain = { ...domainWith(...records([true, true])), verified: true, mail_from_verified: true };
  const [first, second] = listItems(domain, undefined, undefined, false);
  const finding = createFinding({ result: 'fail' });
  const accepted = { ...must(first), finding, verdict: { ...verdictOf(0, 'fail'), finding, accepted: ACCEPTED } };
  expect(describePageState(domain, [accepted, must(second)])).toMatchObject({
    label: 'OK',
    rest: '1 of 2, 1 accepted',
  });
});
