import { describe, expect, test } from 'vitest';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { relativeHost, splitPriority, summarise } from './dnsRecord.ts';

function record(type: string | null, name: string | null, value: string | null): ReadableDnsRecord {
  return { type, name, value, is_valid: null };
}

describe('a summary', () => {
  test.each<[(boolean | null)[], object]>([
    [[], { total: 0, valid: 0, broken: 0, unknown: 0 }],
    [[true, true, false], { total: 3, valid: 2, broken: 1, unknown: 0 }],
    [[null, false, true], { total: 3, valid: 1, broken: 1, unknown: 1 }],
    [[null], { total: 1, valid: 0, broken: 0, unknown: 1 }],
  ])('of verdicts %j counts each for itself', (verdicts, counts) => {
    const records = verdicts.map((is_valid) => ({ type: 'TXT', name: 'x.test', value: '', is_valid }));
    expect(summarise(records)).toEqual(counts);
  });

  test('of records that were not sent is empty', () => {
    expect(summarise(null)).toEqual({ total: 0, valid: 0, broken: 0, unknown: 0 });
  });
});

describe('a host relative to its domain', () => {
  test.each([
    ['mail.x.test', 'x.test', 'mail'],
    ['k1._domainkey.x.test', 'x.test', 'k1._domainkey'],
    ['x.test', 'x.test', '@'],
    ['x.test.', 'x.test', '@'],
    ['mail.x.test.', 'x.test', 'mail'],
    ['mail.x.test', 'x.test.', 'mail'],
    ['Mail.X.TEST', 'x.test', 'Mail'],
    ['mail.x.test', 'X.Test', 'mail'],
    ['X.TEST', 'x.test', '@'],
    // Elsewhere: whole.
    ['mail.y.test', 'x.test', 'mail.y.test'],
    ['mail.y.test.', 'x.test', 'mail.y.test'],
    ['maxx.test', 'x.test', 'maxx.test'],
    ['test', 'x.test', 'test'],
    ['x.test.evil.example', 'x.test', 'x.test.evil.example'],
    // A doubled name shows what is wrong with it.
    ['mail.x.test.x.test', 'x.test', 'mail.x.test'],
    ['x.test.x.test', 'x.test', 'x.test'],
    // Nothing here may leave the host empty.
    ['.x.test', 'x.test', '.x.test'],
    ['mail', '', 'mail'],
    ['', 'x.test', ''],
    // Lower-cased, this name is longer.
    ['a.İ.test', 'İ.test', 'a'],
  ])('%j in %j is %j', (name, domain, relative) => {
    expect(relativeHost(name, domain)).toBe(relative);
  });
});

describe('the priority of an MX', () => {
  test.each([
    ['MX', '10 mx.y.test', '10', 'mx.y.test'],
    ['mx', ' 0\tmx.y.test. ', '0', 'mx.y.test.'],
    ['MX', 'mx.y.test', null, 'mx.y.test'],
    ['MX', '10', null, '10'],
    ['MX', '10 a b', null, '10 a b'],
    ['MX', '-1 mx.y.test', null, '-1 mx.y.test'],
    ['TXT', '10 mx.y.test', null, '10 mx.y.test'],
    [null, '10 mx.y.test', null, '10 mx.y.test'],
    ['MX', null, null, ''],
  ])('%j %j: %j apart from %j', (type, value, priority, rest) => {
    expect(splitPriority(record(type, 'x.test', value))).toEqual({ priority, value: rest });
  });
});
