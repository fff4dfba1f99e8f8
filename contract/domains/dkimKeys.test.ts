import { expect, test } from 'vitest';
import { dkimKeysOf } from './dkimKeys.ts';
import type { RecordStatus } from './recordStatus.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
/** `ok 1-5`: what was found, from which day of January to which. */
function spansOf(subject: string, ...texts: string[]) {
  return texts.map((text) => {
    const [result, days = ''] = text.split(' ');
    const [from, to] = days.split('-').map(Number);
    return { subject, result: result as RecordStatus, started_at: at(from ?? 0), ended_at: at(to ?? 0) };
  });
}

const NAME = 'CNAME s1._domainkey.example.com';
const since = (...texts: string[]) => {
  const [key] = dkimKeysOf(spansOf(NAME, ...texts), [NAME]);
  return key?.published_since && `${key.published_since.slice(8, 10)}${key.is_older ? ' or before' : ''}`;
};

test.each([
  ['is there at the first look', ['ok 1-5'], '01 or before'],
  ['came later', ['fail 1-5', 'ok 6-9'], '06'],
  ['came, and has another warning since', ['fail 1-2', 'warn 3-5', 'ok 6-9'], '03'],
  ['was not there in between', ['ok 1-2', 'fail 3-4', 'ok 5-9'], '05'],
  ['could not be asked in between', ['ok 1-2', 'unknown 3-4', 'ok 5-9'], '01 or before'],
  ['spreads, and is there', ['fail 1-2', 'pending 3-4', 'ok 5-9'], '05'],
  ['is lost', ['ok 1-2', 'fail 3-4'], null],
  ['was never found', ['unknown 1-2'], null],
])('a key that %s', (_, spans, expected) => expect(since(...spans)).toBe(expected));

test('an old key may go a week after the last look that listed it', () => {
  const old = 'CNAME s0._domainkey.example.com';
  const spans = [
    ...spansOf(old, 'ok 1-8'),
    ...spansOf(NAME, 'ok 7-20'),
    ...spansOf('TXT _dmarc.example.com', 'ok 1-20'),
  ];
  expect(dkimKeysOf(spans, [NAME])).toEqual([
    { subject: NAME, selector: 's1', is_listed: true, published_since: at(7), is_older: true, may_go_at: null },
    { subject: old, selector: 's0', is_listed: false, published_since: at(1), is_older: true, may_go_at: at(15) },
  ]);
});
