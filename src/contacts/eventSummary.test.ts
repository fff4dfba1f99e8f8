import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attributes } from '#contract/field.ts';
import { anyText } from '../testing/testText.ts';
import { parseJson } from '../ui/json.ts';
import { pickSummaryAttributes } from './eventSummary.ts';

test.each<[Attributes, [string, string][]]>([
  [{}, []],
  [
    { order: 17, paid: false, plan: 'pro', coupon: 'X' },
    [
      ['order', '17'],
      ['paid', 'false'],
      ['plan', 'pro'],
    ],
  ],
  [
    {
      message_id: '0d2f0f0e-9f4c-4a51-b0f6-6f8f3c6d7c11',
      client: 'Gmail',
      link: 'https://x.test/',
      campaign: 'autumn-2026',
      seconds: 3,
    },
    [
      ['campaign', 'autumn-2026'],
      ['link', 'https://x.test/'],
      ['client', 'Gmail'],
    ],
  ],
  [
    { message_id: '0d2f0f0e-9f4c-4a51-b0f6-6f8f3c6d7c11', order_id: 'O-17' },
    [
      ['order_id', 'O-17'],
      ['message_id', '0d2f0f0e-9f4…'],
    ],
  ],
  [{ items: [1, 2], at: { city: 'Ulm' }, note: null, plan: 'pro' }, [['plan', 'pro']]],
  [parseJson('{"order":12345678901234567890}') as Attributes, [['order', '12345678901234567890']]],
  [{ empty: '', blank: ' \n ', zero: 0 }, [['zero', '0']]],
  [{ text: '  two\r\n lines\t' }, [['text', 'two lines']]],
  [{ markup: '<img src=x onerror=alert(1)>' }, [['markup', '<img src=x onerror=alert(1)>']]],
  [{ fits: 'x'.repeat(48) }, [['fits', 'x'.repeat(48)]]],
  [{ long: 'x'.repeat(49) }, [['long', `${'x'.repeat(47)}…`]]],
  [{ emoji: `${'x'.repeat(46)}😀😀` }, [['emoji', `${'x'.repeat(46)}…`]]],
  [
    JSON.parse('{"__proto__":"a","constructor":"b"}') as Attributes,
    [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ],
  ],
])('%j is told by %j', (attributes, pairs) => {
  expect(pickSummaryAttributes(attributes)).toEqual(pairs);
});

const value = fc.oneof(anyText, fc.double(), fc.array(fc.boolean()), fc.constant(null));

test('it is one line of three short pieces, whatever an event holds', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value, { maxKeys: 5 }), (attributes) => {
      const pairs = pickSummaryAttributes(attributes);
      expect(pairs.length).toBeLessThanOrEqual(3);
      for (const [, value] of pairs) {
        expect(value).toMatch(/^\S[^\n\r\t]{0,47}$/);
        expect(value.length).toBeLessThanOrEqual(48);
      }
    }),
  );
});
