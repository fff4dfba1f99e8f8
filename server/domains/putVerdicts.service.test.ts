import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import type { DnsRecord, Domain } from '#contract/domains/domain.ts';
import { must } from '#contract/values/must.ts';
import type { RecordCheck } from '../dns/checkDomain.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { createRequiredRecords, importDomain } from '../testing/testDomains.ts';
import { summarizeDomains } from './countStates.ts';
import type { ImportedDomain } from './putDomains.ts';
import { putVerdicts } from './putVerdicts.ts';

// What checks make of stored states: a failure never raises one, however old the stored verdicts. That results of
// questions come here is in liveChecks and recheck.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

let count = 0;

/** Imports a new domain; `check` stores the results of its records, or of those that are given, so many minutes later. */
async function domainWith(hosts: readonly string[], more: Partial<ImportedDomain> = {}, stored = false) {
  const name = `s${count++}.dev`;
  const required = createRequiredRecords(name, hosts, stored);
  let at = NOW;
  const put = (imported: Partial<ImportedDomain>) => importDomain(t.workspace, t.db, { name, ...imported }, at);
  const uuid = await put({ dns: required, mail_from_domain: `Bounce.${name}.`, ...more });
  const check = (minutes: number, results: readonly RecordStatus[], records: readonly DnsRecord[] = required) => {
    at += minutes * MINUTE;
    const checks = records.map((record, index) => ({
      kind: 'record',
      record,
      finding: { result: must(results[index]), code: 'TEST', found: [], evidence: [], turn: null, cause: null },
    }));
    return putVerdicts(t.workspace, t.db, uuid, checks as unknown as RecordCheck[], at, 2 * HOUR);
  };
  const nextCheck = async () => {
    const domain = await t.db.read(t.workspace, (scope) =>
      scope.select('domains').select('next_check_at').where('uuid', '=', uuid).executeTakeFirstOrThrow(),
    );
    return domain.next_check_at - at;
  };
  return { name, put, check, nextCheck };
}

const WORDS = { P: 'pending', F: 'failed', C: 'completed', T: 'throttled' };

/** A state by its letter: T is a word that an import has set and that is not ours. */
function stateOf(code: string) {
  const [letter, own, mailFrom] = Array.from(code);
  const word = WORDS[letter as keyof typeof WORDS];
  return { verified: own === '+', mail_from_verified: mailFrom === '+', status: word, verification: word };
}
const codeOf = ({ verified, mail_from_verified, status, verification }: Domain) => {
  expect(verification).toBe(status);
  return `${status[0]?.toUpperCase()}${verified ? '+' : '-'}${mail_from_verified ? '+' : '-'}`;
};

/**
 * Status, whether the domain is verified, and whether its MAIL FROM name is. Below, what becomes of each. A check has the
 * results of two records of the domain and of one of the MAIL FROM name, so many minutes after the one before.
 */
const BEFORE = 'P-- F-- P+- P++ C++ T--';

const CASES: [stored: boolean, cases: [found: string, checks: string, after: string][]][] = [
  [
    true,
    [
      ['all is right', '0 ok ok ok', 'C++ C++ C++ C++ C++ T++'],
      ['all fails', '0 fail fail fail', 'P-- F-- P+- P++ C++ T--'],
      ['all fails twice within five minutes', '0 fail fail fail, 4 fail fail fail', 'P-- F-- P+- P++ C++ T--'],
      ['all fails for five minutes', '0 fail fail fail, 5 fail fail fail', 'P-- F-- P-- P-- F-- T--'],
      ['one of the domain fails', '0 ok fail ok', 'P-+ F-+ C++ P++ C++ T-+'],
      ['one of the domain fails for five minutes', '0 ok fail ok, 5 ok fail ok', 'P-+ F-+ F-+ P-+ F-+ T-+'],
      ['that of the MAIL FROM name fails', '0 ok ok fail', 'P+- F+- P+- P++ C++ T+-'],
      ['that of the MAIL FROM name fails for five minutes', '0 ok ok fail, 5 ok ok fail', 'P+- F+- P+- P+- F+- T+-'],
      ['nothing can be asked', '0 unknown unknown unknown', 'P-- F-- P+- P++ C++ T--'],
      ['all is spreading', '0 pending pending pending', 'P-- F-- P+- P++ C++ T--'],
      ['those of the domain cannot be asked', '0 unknown unknown ok', 'P-+ F-+ C++ C++ C++ T-+'],
    ],
  ],
  [
    false,
    [
      ['all is right', '0 ok ok ok', 'C++ C++ C++ C++ C++ T++'],
      ['all fails', '0 fail fail fail', 'P-- F-- P-- P-- F-- T--'],
      ['one is right', '0 ok fail fail', 'P-- F-- P-- P-- F-- T--'],
      ['that of the MAIL FROM name fails', '0 ok ok fail', 'P+- F+- P+- P+- F+- T+-'],
    ],
  ],
];

describe.each(CASES)('records that are stored as valid: %s', (stored, cases) => {
  test.each(cases)('%s', async (_, checks, expected) => {
    const after: string[] = [];
    for (const before of BEFORE.split(' ')) {
      const { check } = await domainWith(['dkim1', 'dkim2', 'bounce'], stateOf(before), stored);
      let last: Domain | null = null;
      for (const step of checks.split(', ')) {
        const [minutes, ...results] = step.split(' ');
        last = await check(Number(minutes), results as RecordStatus[]);
      }
      after.push(codeOf(must(last)));
    }
    expect(after.join(' ')).toBe(expected);
  });
});

const ORDINARY = { verified: false, mail_from_verified: false, verification: 'pending', status: 'pending' };

/** Minutes since the check before, what it finds, whether the record is valid then, and the status. */
type Step = readonly [minutes: number, result: RecordStatus, isValid: boolean, status: string];

test.each<[string, ...Step[]]>([
  [
    'one success makes a record valid',
    [0, 'fail', false, 'pending'],
    [1, 'pending', false, 'pending'],
    [1, 'unknown', false, 'pending'],
    [1, 'ok', true, 'completed'],
  ],
  [
    'a valid record becomes invalid at a failure five minutes after the first, which right or pending forget',
    [0, 'ok', true, 'completed'],
    [1, 'fail', true, 'completed'],
    [4, 'fail', true, 'completed'],
    [1, 'ok', true, 'completed'],
    [5, 'fail', true, 'completed'],
    [4, 'pending', true, 'completed'],
    [5, 'fail', true, 'completed'],
    [4, 'pending', true, 'completed'],
    [72 * 60, 'pending', true, 'completed'],
    [5, 'fail', true, 'completed'],
    [2, 'unknown', true, 'completed'],
    [3, 'fail', false, 'failed'],
    [60, 'ok', true, 'completed'],
  ],
  [
    'what is not right for 72 hours has failed, until it is right',
    [0, 'fail', false, 'pending'],
    [72 * 60 - 2, 'fail', false, 'pending'],
    [1, 'unknown', false, 'pending'],
    [1, 'fail', false, 'failed'],
    [1, 'pending', false, 'failed'],
    [1, 'ok', true, 'completed'],
  ],
])('%s', async (_, ...steps) => {
  const { check } = await domainWith(['a']);
  for (const [minutes, result, is_valid, status] of steps) {
    const verified = status === 'completed';
    expect(await check(minutes, [result])).toMatchObject({
      dns: [{ is_valid }],
      verified,
      status,
      verification: status,
    });
  }
});

test('records that are new have 72 hours of their own', async () => {
  const { name, put, check } = await domainWith(['a']);
  await check(72 * 60, ['unknown']);
  const dns = createRequiredRecords(name, ['b']);
  await put({ dns });
  expect(await check(0, ['fail'], dns)).toMatchObject(ORDINARY);
});

test('updated_at moves only with something that can be seen', async () => {
  const { check } = await domainWith(['a']);
  const first = await check(0, ['ok']);
  expect(Date.parse(first.updated_at)).toBe(NOW + 1);
  expect(await check(60, ['ok'])).toEqual(first);
  expect(await check(60, ['fail'])).toEqual(first);
  expect(Date.parse((await check(60, ['fail'])).updated_at)).toBe(NOW + 3 * HOUR);
});

test('a domain that is being set up is counted as failing once a check finds a record missing', async () => {
  const { check } = await domainWith(['a'], {}, true);
  const { pending, failing, ...others } = await summarizeDomains(t.workspace, t.db);
  await check(0, ['fail']);
  expect(await summarizeDomains(t.workspace, t.db)).toEqual({ ...others, pending: pending - 1, failing: failing + 1 });
});

test('a state that waits for one success is checked again soon', async () => {
  const { check, nextCheck } = await domainWith(['a'], {}, true);
  await check(0, ['unknown']);
  expect(await nextCheck()).toBe(5 * MINUTE);
});

test('a verdict is for the record that was checked: one that an import has put in its place stays due', async () => {
  const { name, put, check, nextCheck } = await domainWith(['a']);
  await check(0, ['ok']);
  const imported = createRequiredRecords(name, ['a']).map((record) => ({ ...record, value: '192.0.2.99' }));
  await put({ dns: imported });
  expect(await nextCheck()).toBeLessThan(0);
  expect((await check(1, ['ok'])).dns).toMatchObject([{ is_valid: false }]);
  expect(await nextCheck()).toBeLessThan(0);
  expect((await check(1, ['ok'], imported)).dns).toMatchObject([{ is_valid: true }]);
});
