import { expect, test } from 'vitest';
import { asksOwner } from '#contract/recordFiles/recordChanges.ts';
import { dkim } from './dkim.ts';
import { mx } from './mx.ts';
import { placement } from './placement.ts';
import { spf } from './spf.ts';
import { text } from './text.ts';

// A file of changes replaces nothing that only the owner can decide, and knows that by the words of the todo.

const ABOUT = {
  role: 'record',
  domain: 'x.test',
  name: 'go.x.test',
  type: 'TXT',
  zone: 'x.test',
  host: 'go',
  dnsHost: 'at the DNS host',
  expected: 'y.test',
  found: ['192.0.2.1'],
} as const;
const REST = { leftOut: [], included: [], besides: [], why: null };
const CUT = { before: 240, missing: 60, of: 300, shown: 'abc', strings: 2 };

test.each<[code: string, todo: string | undefined, asks: boolean]>([
  ['WRONG_TARGET', placement.WRONG_TARGET.todo?.({ user: 'another company' }, ABOUT), true],
  ['WRONG_TARGET', placement.WRONG_TARGET.todo?.({ user: null }, ABOUT), false],
  ['CNAME_AT_NAME', placement.CNAME_AT_NAME.todo?.({ user: 'another company' }, ABOUT), true],
  ['CNAME_AT_NAME', placement.CNAME_AT_NAME.todo?.({ user: null }, ABOUT), false],
  [
    'WRONG_THROUGH_CNAME',
    placement.WRONG_THROUGH_CNAME.todo?.({ user: null, target: 'y.test', values: [] }, ABOUT),
    true,
  ],
  ['OTHER_TYPE_AT_NAME', placement.OTHER_TYPE_AT_NAME.todo?.({ types: ['A'] }, ABOUT), true],
  ['CNAME_FLATTENED', placement.CNAME_FLATTENED.todo?.({ isOfTarget: true }, ABOUT), true],
  ['CNAME_FLATTENED', placement.CNAME_FLATTENED.todo?.({ isOfTarget: false }, ABOUT), true],
  ['EXTRA_MX', mx.EXTRA_MX.todo?.({ others: ['10 own.x.test'] }, ABOUT), true],
  ['EXTRA_MX', mx.EXTRA_MX.todo?.({ others: ['0 .'] }, ABOUT), false],
  ['DKIM_OTHER_KEY', dkim.DKIM_OTHER_KEY.todo?.({ by: 'owner' }, ABOUT), true],
  ['DKIM_WEAK_KEY', dkim.DKIM_WEAK_KEY.todo?.({ by: 'owner', bits: 512 }, ABOUT), false],
  ['SPF_ALLOWS_ALL', spf.SPF_ALLOWS_ALL.todo?.({ ...REST, percent: 100, openers: [] }, ABOUT), true],
  ['SEVERAL_SPF', spf.SEVERAL_SPF.todo?.({ ...REST, count: 2 }, ABOUT), false],
  ['VALUE_CUT', text.VALUE_CUT.todo?.(CUT, ABOUT), false],
])('%s: %s', (_, todo, asks) => {
  expect(todo).toMatch(/\w/);
  expect(asksOwner(todo ?? '')).toBe(asks);
});
