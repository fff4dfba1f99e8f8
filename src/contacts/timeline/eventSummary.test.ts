import { expect, test } from 'vitest';
import type { Attributes } from '#contract/values/field.ts';
import { parseJson } from '../../ui/format/json.ts';
import { findBounce, pickSummaryAttributes } from './eventSummary.ts';

const MESSAGE = '0d2f0f0e-9f4c-4a51-b0f6-6f8f3c6d7c11';
test.each<[Attributes, Record<string, string>]>([
  [{}, {}],
  [
    { order: 17, paid: false, plan: 'pro', coupon: 'X' },
    { order: '17', paid: 'false', plan: 'pro' },
  ],
  [
    { message_id: MESSAGE, client: 'Gmail', campaign: 'autumn', x: 3 },
    { campaign: 'autumn', client: 'Gmail', x: '3' },
  ],
  [
    { message_id: MESSAGE, order_id: 'O-17' },
    { order_id: 'O-17', message_id: '0d2f0f0e-9f4…' },
  ],
  [{ items: [1, 2], at: { city: 'Ulm' }, note: null, plan: 'pro' }, { plan: 'pro' }],
  [parseJson('{"order":12345678901234567890}') as Attributes, { order: '12345678901234567890' }],
  [{ empty: '', blank: ' \n ', zero: 0 }, { zero: '0' }],
  [{ text: '  two\r\n lines\t' }, { text: 'two lines' }],
  [{ fits: 'x'.repeat(48) }, { fits: 'x'.repeat(48) }],
  [{ long: 'x'.repeat(49) }, { long: `${'x'.repeat(47)}…` }],
  [{ emoji: `${'x'.repeat(46)}😀😀` }, { emoji: `${'x'.repeat(46)}…` }],
])('%j is told by %j', (attributes, pairs) => {
  expect(pickSummaryAttributes(attributes)).toEqual(Object.entries(pairs));
});

test.each([
  [{ smtp: '550 5.7.26 blocked' }, '550 5.7.26 blocked'],
  [{ Diagnostic_Code: 'smtp; 554 refused' }, 'smtp; 554 refused'],
  [{ reason: '550 5.7.26 blocked' }, null],
  [{ bounce: 'hard' }, null],
  [{ bounce: 550 }, null],
  [{ bounce: 'hard', diagnostic: '5.1.1' }, '5.1.1'],
])('the SMTP reply of %j is %j', (attributes, reply) => expect(findBounce(attributes)).toBe(reply));
