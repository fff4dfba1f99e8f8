import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Result } from '#contract/dnsCheck.ts';
import type { RecordCheck } from '../dns/checkDomain.ts';
import { exitCodeOf, formatJson, formatText } from './report.ts';

function checked(result: Result, text = 'a', is_valid: boolean | null = null): RecordCheck {
  const fix = { todo: text, type: 'TXT', host: text, name: text, value: text, priority: null };
  return {
    kind: 'record',
    domain: 'example.test',
    record: { type: text, name: text, value: text, is_valid },
    index: 0,
    ttl: 0,
    finding: {
      result,
      code: 'MATCH',
      expected: text,
      found: [text],
      diagnosis: text,
      fix,
      until: null,
      evidence: [],
      dig: 'dig',
    },
  };
}

test.each<[Result[], number]>([
  [[], 0],
  [['ok', 'warn'], 0],
  [['ok', 'pending'], 4],
  [['pending', 'unknown'], 2],
  [['pending', 'unknown', 'fail'], 1],
])('records that are %j give the exit code %i', (results, code) => {
  expect(exitCodeOf(results.map((result) => checked(result)))).toBe(code);
});

test('no text of anybody steers a terminal, and JSON keeps it as it was', () => {
  const steering = fc.constantFrom(
    '\u001b[2J',
    '\n',
    '\r',
    '\u0000',
    '\u009b',
    '\u202e',
    '\u2066',
    '\ud800',
    '\u2028',
    '"',
    '\\',
  );
  const text = fc.array(fc.oneof(steering, fc.string()), { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (hostile) => {
      const one = checked('fail', hostile);
      const json = formatJson(one);
      expect(`${json}${formatText(one).replaceAll('\n', '')}`).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u,
      );
      expect(JSON.parse(json)).toEqual(one);
      // The lines are ours: none is added by a text.
      expect(formatText(one).split('\n')).toHaveLength(8);
    }),
  );
});

test.each<[boolean, Result, string | null]>([
  [true, 'fail', 'still counts this record as valid'],
  [false, 'ok', 'has not looked again yet'],
  [true, 'ok', null],
  [true, 'unknown', null],
])('stored as %s and live %s has its own sentence', (stored, live, sentence) => {
  const text = formatText(checked(live, 'a', stored));
  if (sentence === null) expect(text).not.toContain('The service');
  else expect(text).toContain(sentence);
});
