import { describe, expect, test } from 'vitest';
import { judgeDmarc } from './judgeDmarc.ts';
import { pickDmarcRecord } from './treeWalk.ts';

const NONE = 'v=DMARC1; p=none';
const judge = (texts: readonly string[], expected: string | null = NONE) =>
  judgeDmarc({ texts, expected, inherited: null });

/** The judgement for an empty name below `example.test`, which has the record. */
function inherit(record: string, expected: string) {
  const read = pickDmarcRecord([record]);
  if (read === null) throw new Error('No record.');
  return judgeDmarc({ texts: ['token'], expected, inherited: { domain: 'example.test', record: read } });
}

describe('what is published instead of a record', () => {
  test.each<[string[], string, object]>([
    [[], 'DMARC_MISSING', { count: 0, instead: null }],
    [['dmarc-verification=abc'], 'DMARC_MISSING', { count: 1, instead: null }],
    [['v=spf1 -all', 'token'], 'DMARC_MISSING', { count: 2, instead: 'spf' }],
    [['v=DKIM1; p=abc'], 'DMARC_MISSING', { count: 1, instead: 'dkim' }],
  ])('%j', (texts, code, facts) => {
    expect(judge(texts)).toEqual({ code, facts });
  });

  test('two records, between which their owner has to choose', () => {
    const texts = ['v=DMARC1; p=reject; rua=mailto:a@b.test', NONE];
    const facts = { policies: ['p=reject', 'p=none'] };
    expect(judge(texts)).toEqual({ code: 'SEVERAL_DMARC', facts, offer: null, found: texts });
  });

  test('a record next to one that receivers discard is one record', () => {
    expect(judge(['v=dmarc1; p=reject', NONE]).code).toBe('MATCH');
  });

  test('two records that receivers discard are for their owner to choose from, too', () => {
    expect(judge(['v=dmarc1; p=reject', '"v=DMARC1; p=none"'])).toMatchObject({ offer: null });
  });
});

describe('reports that nobody can send: only mailto: has to be supported (RFC 7489, sections 6.3 and 7.1)', () => {
  test.each([
    ['v=DMARC1; p=none; rua=https://r.test/x', 'rua', 'https://r.test/x'],
    ['v=DMARC1; p=none; rua=http:a@b.test', 'rua', 'http:a@b.test'],
    ['v=DMARC1; p=none; rua=mailto:a@b.test; ruf=https://r.test/x', 'ruf', 'https://r.test/x'],
  ])('%s', (text, tag, address) => {
    const judged = { code: 'DMARC_REPORTS_NOT_MAILED', facts: { tag, address }, offer: null, found: [text] };
    expect(judge([text])).toEqual(judged);
  });

  test('reports that go to an address too, or a weaker policy than the listed one', () => {
    expect(judge(['v=DMARC1; p=none; rua=https://r.test/x,mailto:a@b.test']).code).toBe('MATCH');
    const weak = judge(['v=DMARC1; p=none; rua=https://r.test/x'], 'v=DMARC1; p=reject');
    expect(weak.code).toBe('DMARC_WEAKER_THAN_LISTED');
  });
});

// Each row: what is published, where reports are listed to go, and what is offered.
test.each([
  [
    'v=DMARC1; p=reject; rua=mailto:a@own.test',
    'mailto:d@p.test',
    'v=DMARC1; p=reject; rua=mailto:a@own.test,mailto:d@p.test',
  ],
  ['v=DMARC1; p=none', 'mailto:d@p.test', 'v=DMARC1; p=none; rua=mailto:d@p.test'],
  ['v=DMARC1; p=none; rua=mailto:D@P.test!10m', 'mailto:d@p.test', undefined],
])('%s, where reports go to %s', (text, rua, offer) => {
  const judged = judge([text], `v=DMARC1; p=none; rua=${rua}`);
  expect([judged.code, judged.offer]).toEqual([offer === undefined ? 'MATCH' : 'DMARC_REPORTS_NOT_LISTED', offer]);
});

// Each row: what is published, what is listed, and what is offered.
test.each([
  [
    'v=DMARC1; p=none; rua=mailto:a@b.test; x=1',
    'v=DMARC1; p=quarantine',
    'v=DMARC1; p=quarantine; rua=mailto:a@b.test; x=1',
  ],
  [
    'v=DMARC1; p=reject; t=y; ruf=mailto:a@b.test',
    'v=DMARC1; p=reject',
    'v=DMARC1; p=reject; t=n; ruf=mailto:a@b.test',
  ],
  ['v=DMARC1; p=reject; sp=none', 'v=DMARC1; p=reject', 'v=DMARC1; p=reject; sp=reject'],
  ['v=DMARC1; p=reject; np=none', 'v=DMARC1; p=quarantine', 'v=DMARC1; p=reject; np=quarantine'],
  ['v=DMARC1; p=none; sp=reject', 'v=DMARC1; p=quarantine', 'v=DMARC1; p=quarantine; sp=reject'],
  ['v=DMARC1; p=none', 'v=DMARC1; p=none; sp=quarantine', 'v=DMARC1; p=none; sp=quarantine'],
])('%s is weaker than the listed %s', (text, expected, offer) => {
  expect(judge([text], expected)).toMatchObject({ code: 'DMARC_WEAKER_THAN_LISTED', offer });
  expect(judge([offer], expected).code).toBe('MATCH');
});

test('what is weaker is told with the tag that it comes from', () => {
  const { facts } = judge(['v=DMARC1; p=reject; sp=none'], 'v=DMARC1; p=quarantine');
  expect(facts).toEqual({ published: 'sp=none', listed: 'p=quarantine' });
});

describe('a listed record that is not there, while one above counts', () => {
  test.each([
    ['v=DMARC1; p=reject', NONE, 'p=reject'],
    ['v=DMARC1; p=reject; sp=none', NONE, 'sp=none'],
    ['v=DMARC1; p=none; sp=quarantine', 'v=DMARC1; p=quarantine', 'sp=quarantine'],
    ['v=DMARC1; p=reject; t=y', 'v=DMARC1; p=quarantine', 'p=reject; t=y'],
  ])('%s is enough for the listed %s', (record, expected, policy) => {
    expect(inherit(record, expected)).toEqual({ code: 'DMARC_INHERITED', facts: { domain: 'example.test', policy } });
  });

  test.each([
    ['v=DMARC1; p=none; rua=mailto:a@b.test', 'v=DMARC1; p=reject', 'v=DMARC1; p=reject; rua=mailto:a@b.test'],
    [
      'v=DMARC1; p=reject; sp=none; adkim=s; ruf=mailto:a@b.test; fo=1; x=1',
      'v=DMARC1; p=quarantine; ruf=mailto:c@d.test',
      'v=DMARC1; p=quarantine; adkim=s; ruf=mailto:a@b.test,mailto:c@d.test; fo=1; x=1',
    ],
    ['v=DMARC1; p=reject; np=none', 'v=DMARC1; p=reject', 'v=DMARC1; p=reject'],
    ['v=DMARC1; p=quarantine; t=y', 'v=DMARC1; p=quarantine', 'v=DMARC1; p=quarantine'],
  ])('%s is weaker than the listed %s', (record, expected, offer) => {
    expect(inherit(record, expected)).toMatchObject({ code: 'DMARC_INHERITED_WEAKER', offer });
  });
});
