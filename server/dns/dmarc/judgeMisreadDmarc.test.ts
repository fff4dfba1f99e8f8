import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDmarc, readDmarc, strengthOf } from './dmarcRecord.ts';
import { judgeDmarc } from './judgeDmarc.ts';

const NONE = 'v=DMARC1; p=none';
const judge = (texts: readonly string[], expected: string | null = NONE) =>
  judgeDmarc({ texts, expected, inherited: null });

test.each([
  NONE,
  'v=DMARC1;p=none;rua=mailto:a@b.test;',
  'v = DMARC1 ;\tp = Quarantine ; adkim = S ',
  // RFC 9989, sections 4.8 and 4.7.
  'v=DMARC1; rua=mailto:a@b.test; p=none',
  'V=DMARC1; P=None; RUA=MAILTO:a@b.test',
  'v=DMARC1; p=none; x=1; note=hello, world',
  'v=DMARC1; p=none; pct=100; rf=afrf; ri=86400; rua=mailto:a@b.test!10m',
  'v=DMARC1; p=none; rua=mailto:a@b.test, mailto:c@d.test?subject=x,https://e.test/r; fo=1:d:s',
])('%s: right', (text) => {
  expect(judge(['other text', text])).toEqual({ code: 'MATCH', facts: {} });
});

const REJECT = 'v=DMARC1; p=reject';
const REPORTS = `${REJECT}; rua=mailto:a@b.test`;
const NONE_REPORTS = `${NONE}; rua=mailto:a@b.test`;
const TWO = `${NONE_REPORTS},mailto:c@d.test`;
const SYNTAX = 'DMARC_SYNTAX';
const BAD = 'DMARC_TAG_UNREADABLE';

// Each row: the published text, the code, what is offered, and a part of the diagnosis.
test.each<[string, string, string | null, string?]>([
  ['"v=DMARC1; p=reject"', 'QUOTES_IN_VALUE', REJECT],
  [String.raw`v=DMARC1\; p=reject`, 'QUOTES_IN_VALUE', REJECT],
  [' v=DMARC1; p=reject', 'SPACES_AROUND', REJECT],
  ['v=DMARC1; p=\u201creject\u201d', 'SPOILT_CHARACTERS', REJECT],
  ['v=DMARC1;\u00a0p=reject', 'SPOILT_CHARACTERS', REJECT],
  ['v=DMARC1\uff1b p\uff1dreject', 'SPOILT_CHARACTERS', REJECT],
  ['v=DMARC1, p=reject, rua=mailto:a@b.test', SYNTAX, REPORTS, '","'],
  ['v=DMARC1, p=reject, rua=mailto:a@b.test,mailto:c@d.test', SYNTAX, `${REPORTS},mailto:c@d.test`],
  ['v=DMARC1 p=none', SYNTAX, NONE, '";" is missing'],
  ['v=DMARC1 p=reject rua=mailto:a@b.test sp=none', SYNTAX, 'v=DMARC1; p=reject; rua=mailto:a@b.test; sp=none'],
  ['v=DMARC1; p=reject rua=mailto:a@b.test', SYNTAX, REPORTS, 'before "rua="'],
  ['v=DMARC1; p:reject; rua:mailto:a@b.test', SYNTAX, REPORTS],
  ['v=dmarc1; p=reject', SYNTAX, REJECT, 'these very letters'],
  ['v=DMARC; p=reject', SYNTAX, REJECT, 'must begin with'],
  ['v=DMARC2; p=reject', SYNTAX, REJECT, 'v=DMARC2'],
  ['DMARC1; p=reject', SYNTAX, REJECT],
  ['v=DMARC1; p=monitor; rua=mailto:a@b.test', SYNTAX, NONE_REPORTS, 'p=monitor'],
  ['v=DMARC1; p=quaranteen', SYNTAX, 'v=DMARC1; p=quarantine', 'p=quaranteen'],
  ['v=DMARC1; p=none.', SYNTAX, NONE, 'p=none.'],
  // Only the owner knows what was meant: p=none would be less than a refusal.
  ['v=DMARC1; p=block; sp=reject', SYNTAX, null, 'p=block'],
  ['v=DMARC1; p=none; sp=rejct', SYNTAX, `${NONE}; sp=reject`, 'sp=rejct'],
  ['v=DMARC1; p=none; p=reject', SYNTAX, null, 'only you can say which is meant'],
  ['v=DMARC1; p=none; sp=reject; sp=none', SYNTAX, null, 'twice'],
  ['v=DMARC1; p=reject; p=Reject', SYNTAX, REJECT, 'twice'],
  ['v=DMARC1; p=none; rua=mailto:a@b.test; rua=mailto:c@d.test', SYNTAX, TWO, 'twice'],
  ['v=DMARC1; reject', SYNTAX, REJECT, '"p=reject"'],
  ['<p>v=DMARC1; p=reject; rua=mailto:<a href="mailto:a@b.test">a@b.test</a></p>', SYNTAX, REPORTS],
  ['v=DMARC1;&nbsp;p=&quot;reject&quot;', SYNTAX, REJECT],
  ['v=DMARC1&#59; p=reject&#59; rua=mailto:a&#64;b.test', SYNTAX, REPORTS, 'web page'],
  ['&quot;v=DMARC1; p=reject; rua=mailto:a@b.test&quot;', SYNTAX, REPORTS, 'encoded'],
  ['v=DMARC1%3B p=reject%3B rua=mailto%3Aa%40b.test', SYNTAX, REPORTS, 'web address'],
  ['v%3DDMARC1%3B%20p%3Dreject%3B%20rua%3Dmailto%3Aa%40b.test', SYNTAX, REPORTS, 'encoded'],
  ['v=DMARC1; p=reject; rua=mailto:a&commat;b.test', BAD, REPORTS, 'encoded'],
  // RFC 9989 asks for a comma of an address to be written like that.
  ['v=DMARC1; p=reject rua=mailto:a%2Cc@b.test', SYNTAX, 'v=DMARC1; p=reject; rua=mailto:a%2Cc@b.test'],
  ['v=DMARC1; p=none; rua=a@b.test', BAD, NONE_REPORTS, '"mailto:" is missing'],
  ['v=DMARC1; p=none; rua=mailto://a@b.test', BAD, NONE_REPORTS],
  [
    'v=DMARC1; p=none; rua=mailto:a@b.test; mailto:c@d.test; fo=1',
    BAD,
    `${NONE}; rua=mailto:a@b.test,mailto:c@d.test; fo=1`,
    '"," belongs',
  ],
  ['v=DMARC1; p=none; rua=mailto:a@b.test mailto:c@d.test', BAD, TWO, '"," is missing'],
  ['v=DMARC1; p=none; rua=mailto:a@b.test,c@d.test', BAD, TWO],
  ['v=DMARC1; p=none; ruf=mailto:<a@b.test>', BAD, `${NONE}; ruf=mailto:a@b.test`],
  ['v=DMARC1; p=none; rua=mailto:a@b\u00fccher.test', BAD, `${NONE}; rua=mailto:a@xn--bcher-kva.test`],
  ['v=DMARC1; p=none; rua=mailto:a@@b.test', BAD, null, 'no address'],
  ['v=DMARC1; p=none; pct=150', BAD, `${NONE}; pct=100`, 'pct=150'],
  ['v=DMARC1; p=none; pct=50%', BAD, `${NONE}; pct=50`],
  [
    'v=DMARC1; p=none; adkim=relaxed; aspf=strict',
    BAD,
    // Receivers take both as relaxed: to offer "aspf=s" would be to ask for more than holds today.
    `${NONE}; adkim=r; aspf=r`,
    'adkim=relaxed',
  ],
  ['v=DMARC1; p=none; aspf=strict', BAD, `${NONE}; aspf=r`, 'aspf=s'],
  ['v=DMARC1; p=none; fo=0,1,d', BAD, `${NONE}; fo=0:1:d`],
  ['v=DMARC1; p=reject; t=yes', BAD, 'v=DMARC1; p=reject; t=y'],
  ['v=DMARC1;', 'DMARC_WITHOUT_POLICY', NONE],
  // All receivers treat it as p=none (RFC 9989, section 4.10.1), which should be explicit in the record.
  ['v=DMARC1; rua=mailto:a@b.test', 'DMARC_POLICY_IMPLIED', NONE_REPORTS],
  ['p=reject; v=DMARC1; rua=mailto:a@b.test', SYNTAX, REPORTS, 'must come first'],
  ['p=reject; rua=mailto:a@b.testv=DMARC1; ', SYNTAX, REPORTS, 'its strings are in the wrong order'],
  ['ect; rua=mailto:a@b.testv=DMARC1; p=rej', SYNTAX, REPORTS, 'its strings are in the wrong order'],
  [
    'p=reject; rua=mailto:a@b.test; sp=none',
    SYNTAX,
    'v=DMARC1; p=reject; rua=mailto:a@b.test; sp=none',
    '"v=DMARC1" is missing',
  ],
  ['"rua=a@b.test; p = Quarantine;"', SYNTAX, 'v=DMARC1; p=quarantine; rua=mailto:a@b.test', '"v=DMARC1" is missing'],
  ['v=DKIM1; p=reject; rua=mailto:a@b.test', SYNTAX, REPORTS, 'begins with "v=DKIM1"'],
  ['v=DMRAC1; p=reject', SYNTAX, REJECT, 'v=DMRAC1'],
  // The exact bytes: "\"v=DMARC1; ...\"" in a zone file. Receivers look for the version at the very beginning.
  ['"v=DMARC1; p=reject; rua=mailto:a@b.test"', 'QUOTES_IN_VALUE', REPORTS],
  ['"v=DMARC1; p=reject', 'QUOTES_IN_VALUE', REJECT],
  ['v=DMARC1; p=rejct; constructor=1; __proto__=2', SYNTAX, 'v=DMARC1; p=reject; constructor=1'],
  ['v=DMARC1; sp=reject', 'DMARC_WITHOUT_POLICY', `${NONE}; sp=reject`],
])('%j: %s', (text, code, offer, part = '') => {
  const judged = judge([text]);
  expect([judged.code, judged.offer]).toEqual([code, offer]);
  expect(JSON.stringify(judged.facts).replaceAll('\\', '')).toContain(part);
  if (offer !== null) expect(judge([offer])).toEqual({ code: 'MATCH', facts: {} });
});

const TAGS = 'p=reject p=quarantine p=none sp=reject np=quarantine adkim=s aspf=r fo=1 x=yes rf=afrf ri=60'.split(' ');
const LISTS = [
  'rua=mailto:a@b.test',
  'ruf=mailto:c@d.test,mailto:e@f.test',
  'rua=g@h.test',
  'rua=mailto:i@j.test mailto:k@l.test',
];
const BREAKS = ['; ', ';', ', ', ' ', ';\u00a0', '";"', ' ; ; ', '\\; ', '\u200b; ', '.; '];

test('what is offered has every tag and address of the text, and no weaker policy, however the text is written', () => {
  const tags = fc.shuffledSubarray([...TAGS, ...LISTS]).chain((some) =>
    fc.array(fc.constantFrom(...BREAKS), { minLength: some.length, maxLength: some.length }).map((separators) => ({
      some,
      text: `v=DMARC1${some.map((tag, at) => (separators[at] ?? ';') + tag).join('')}`,
    })),
  );
  fc.assert(
    fc.property(tags, ({ some, text }) => {
      const { code, offer } = judge([text]);
      if (code === 'MATCH') return;
      // Receivers differ in which of two policies they apply: the owner chooses.
      if (some.filter((tag) => tag.startsWith('p=')).length > 1) {
        expect(offer).toBeNull();
        return;
      }
      expect(typeof offer).toBe('string');
      const offered = readDmarc(offer ?? '');
      expect(isDmarc(offer ?? '') && offered.unreadable.length === 0).toBe(true);
      for (const tag of some) {
        const [name = '', value = ''] = tag.split('=');
        if (strengthOf(value) > 0) expect(strengthOf(offered.tags.get(name))).toBeGreaterThanOrEqual(strengthOf(value));
        for (const [address] of value.matchAll(/\w@\w\.test/g))
          expect(offered.tags.get(name)).toContain(`mailto:${address}`);
        if (/^(adkim|aspf|fo|x|rf|ri)$/.test(name)) expect(offered.tags.get(name)).toContain(value);
      }
      expect(judge([offer ?? '']).code).toBe('MATCH');
    }),
    { numRuns: 1000 },
  );
});
