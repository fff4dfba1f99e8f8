import { expect, test } from 'vitest';
import { toFinding } from '../finding/toFinding.ts';
import { judge, type Judgement } from './catalogue.ts';

// A file of changes replaces nothing that only the owner can decide.

const SUBJECT = {
  role: 'record',
  domain: 'x.test',
  name: 'go.x.test',
  type: 'TXT',
  zone: 'x.test',
  serverNames: [],
  expected: null,
  evidence: [],
  confirmation: null,
} as const;
const OFFER = { offer: 'y.test' };
const REST = { leftOut: [], included: [], besides: [], why: null };
const CUT = { before: 240, missing: 60, of: 300, shown: 'abc', strings: 2 };

test.each<[judgement: Judgement, asks: boolean]>([
  [judge('WRONG_TARGET', { user: 'another company' }, OFFER), true],
  [judge('WRONG_TARGET', { user: null }, OFFER), false],
  [judge('CNAME_AT_NAME', { user: 'another company' }, OFFER), true],
  [judge('CNAME_AT_NAME', { user: null }, OFFER), false],
  [judge('WRONG_THROUGH_CNAME', { user: null, target: 'y.test', values: [] }, OFFER), true],
  [judge('OTHER_TYPE_AT_NAME', { types: ['A'] }, OFFER), true],
  [judge('CNAME_FLATTENED', { isOfTarget: true }, OFFER), true],
  [judge('EXTRA_MX', { others: ['10 own.x.test', '0 .'] }, OFFER), true],
  [judge('EXTRA_MX', { others: ['0 .'] }, OFFER), false],
  [judge('DKIM_OTHER_KEY', { by: 'owner' }, OFFER), true],
  [judge('DKIM_COPY_OUTDATED', {}, OFFER), true],
  [judge('DKIM_WEAK_KEY', { by: 'owner', bits: 512 }, OFFER), false],
  [judge('DMARC_ALIAS_EMPTY', { target: 'y.test' }, OFFER), true],
  [judge('SPF_ALLOWS_ALL', { ...REST, percent: 100, openers: [] }, OFFER), true],
  [judge('SEVERAL_SPF', { ...REST, count: 2 }, OFFER), false],
  [judge('VALUE_CUT', CUT, OFFER), false],
])('%j: %s', (judgement, asks) => {
  expect(toFinding(judgement, SUBJECT).fix?.needs_decision).toBe(asks);
});
