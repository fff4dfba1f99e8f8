import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDmarc, readDmarc, strengthOf } from './dmarcRecord.ts';
import { judgeDmarc } from './judgeDmarc.ts';

const NONE = 'v=DMARC1; p=none';
const judge = (texts: readonly string[], expected: string | null = NONE) =>
  judgeDmarc({ texts, expected, inherited: null });

test.each([
  ['as it is listed', NONE],
  ['stricter than it is listed', 'v=DMARC1; p=reject; rua=mailto:a@b.test'],
  ['without blanks, and with a last semicolon', 'v=DMARC1;p=none;rua=mailto:a@b.test;'],
  ['with blanks everywhere', 'v = DMARC1 ;\tp = Quarantine ; adkim = S '],
  ['with the policy elsewhere (RFC 9989, section 4.8)', 'v=DMARC1; rua=mailto:a@b.test; p=none'],
  ['with a letter case that means nothing', 'V=DMARC1; P=None; RUA=MAILTO:a@b.test'],
  ['with unknown tags (RFC 9989, section 4.7)', 'v=DMARC1; p=none; x=1; note=hello, world'],
  ['with tags that RFC 9989 took out', 'v=DMARC1; p=none; pct=100; rf=afrf; ri=86400; rua=mailto:a@b.test!10m'],
  [
    'with several addresses',
    'v=DMARC1; p=none; rua=mailto:a@b.test, mailto:c@d.test?subject=x,https://e.test/r; fo=1:d:s',
  ],
])('%s: right', (_, text) => {
  expect(judge(['other text', text])).toEqual({ code: 'MATCH', facts: {} });
});

const REJECT = 'v=DMARC1; p=reject';
const REPORTS = `${REJECT}; rua=mailto:a@b.test`;
const NONE_REPORTS = `${NONE}; rua=mailto:a@b.test`;
const SYNTAX = 'DMARC_SYNTAX';
const UNREADABLE = 'DMARC_TAG_UNREADABLE';

// Each row: what is wrong, the published text, the code, what is offered, and a part of the diagnosis.
test.each<[string, string, string, string | null, string?]>([
  ['quotation marks', '"v=DMARC1; p=reject"', 'QUOTES_IN_VALUE', REJECT],
  ['escaped semicolons', String.raw`v=DMARC1\; p=reject`, 'QUOTES_IN_VALUE', REJECT],
  ['a blank before it', ' v=DMARC1; p=reject', 'SPACES_AROUND', REJECT],
  ['smart quotes', '\u201cv=DMARC1; p=reject\u201d', 'SPOILT_CHARACTERS', REJECT],
  ['smart quotes around a value', 'v=DMARC1; p=\u201creject\u201d', 'SPOILT_CHARACTERS', REJECT],
  ['a no-break space', 'v=DMARC1;\u00a0p=reject', 'SPOILT_CHARACTERS', REJECT],
  ['a zero-width space', 'v=DMARC1; p=rej\u200bect', 'SPOILT_CHARACTERS', REJECT],
  ['a byte order mark', '\ufeffv=DMARC1; p=reject', 'SPOILT_CHARACTERS', REJECT],
  ['a line feed', 'v=DMARC1;\np=reject', 'SPOILT_CHARACTERS', REJECT],
  ['full-width characters', 'v=DMARC1\uff1b p\uff1dreject', 'SPOILT_CHARACTERS', REJECT],
  ['commas', 'v=DMARC1, p=reject, rua=mailto:a@b.test', SYNTAX, REPORTS, '","'],
  ['colons', 'v=DMARC1: p=reject: rua=mailto:a@b.test', SYNTAX, REPORTS, '":"'],
  [
    'commas, between addresses, too',
    'v=DMARC1, p=reject, rua=mailto:a@b.test,mailto:c@d.test',
    SYNTAX,
    `${REPORTS},mailto:c@d.test`,
  ],
  ['no semicolon', 'v=DMARC1 p=none', SYNTAX, NONE, '";" is missing'],
  [
    'no semicolons',
    'v=DMARC1 p=reject rua=mailto:a@b.test sp=none',
    SYNTAX,
    'v=DMARC1; p=reject; rua=mailto:a@b.test; sp=none',
  ],
  ['a lost semicolon', 'v=DMARC1; p=reject rua=mailto:a@b.test', SYNTAX, REPORTS, 'before "rua="'],
  ['colons for equals', 'v=DMARC1; p:reject; rua:mailto:a@b.test', SYNTAX, REPORTS],
  ['lower case', 'v=dmarc1; p=reject', SYNTAX, REJECT, 'these very letters'],
  ['no number', 'v=DMARC; p=reject', SYNTAX, REJECT, 'must begin with'],
  ['a version that there is not', 'v=DMARC2; p=reject', SYNTAX, REJECT, 'v=DMARC2'],
  ['no "v="', 'DMARC1; p=reject', SYNTAX, REJECT],
  ['a policy that does not exist', 'v=DMARC1; p=monitor; rua=mailto:a@b.test', SYNTAX, NONE_REPORTS, 'p=monitor'],
  ['a misspelt policy', 'v=DMARC1; p=quaranteen', SYNTAX, 'v=DMARC1; p=quarantine', 'p=quaranteen'],
  ['a full stop', 'v=DMARC1; p=none.', SYNTAX, NONE, 'p=none.'],
  ['a policy that nobody can guess', 'v=DMARC1; p=block; sp=reject', SYNTAX, `${NONE}; sp=reject`, 'p=block'],
  ['a misspelt policy for subdomains', 'v=DMARC1; p=none; sp=rejct', SYNTAX, `${NONE}; sp=reject`, 'sp=rejct'],
  ['a misspelt policy for other names', 'v=DMARC1; p=none; np=quarentine', SYNTAX, `${NONE}; np=quarantine`],
  ['two policies', 'v=DMARC1; p=none; p=reject', SYNTAX, null, 'only you can say which is meant'],
  ['two policies for subdomains', 'v=DMARC1; p=none; sp=reject; sp=none', SYNTAX, null, 'twice'],
  ['one policy twice', 'v=DMARC1; p=reject; p=Reject', SYNTAX, REJECT, 'twice'],
  [
    'two lists of addresses',
    'v=DMARC1; p=none; rua=mailto:a@b.test; rua=mailto:c@d.test',
    SYNTAX,
    `${NONE}; rua=mailto:a@b.test,mailto:c@d.test`,
    'twice',
  ],
  ['a bare policy', 'v=DMARC1; reject', SYNTAX, REJECT, '"p=reject"'],
  [
    'the source of a web page',
    '<p>v=DMARC1; p=reject; rua=mailto:<a href="mailto:a@b.test">a@b.test</a></p>',
    SYNTAX,
    REPORTS,
  ],
  ['entities of a web page', 'v=DMARC1;&nbsp;p=&quot;reject&quot;', SYNTAX, REJECT],
  ['no "mailto:"', 'v=DMARC1; p=none; rua=a@b.test', UNREADABLE, NONE_REPORTS, '"mailto:" is missing'],
  ['a blank in an address', 'v=DMARC1; p=none; rua=mailto: a@b.test', UNREADABLE, NONE_REPORTS],
  ['slashes in an address', 'v=DMARC1; p=none; rua=mailto://a@b.test', UNREADABLE, NONE_REPORTS],
  [
    'a semicolon between addresses',
    'v=DMARC1; p=none; rua=mailto:a@b.test; mailto:c@d.test; fo=1',
    UNREADABLE,
    `${NONE}; rua=mailto:a@b.test,mailto:c@d.test; fo=1`,
    '"," belongs',
  ],
  [
    'a blank between addresses',
    'v=DMARC1; p=none; rua=mailto:a@b.test mailto:c@d.test',
    UNREADABLE,
    `${NONE}; rua=mailto:a@b.test,mailto:c@d.test`,
    '"," is missing',
  ],
  [
    'one address of two without "mailto:"',
    'v=DMARC1; p=none; rua=mailto:a@b.test,c@d.test',
    UNREADABLE,
    `${NONE}; rua=mailto:a@b.test,mailto:c@d.test`,
  ],
  ['brackets around an address', 'v=DMARC1; p=none; ruf=mailto:<a@b.test>', UNREADABLE, `${NONE}; ruf=mailto:a@b.test`],
  [
    'a domain in its own script',
    'v=DMARC1; p=none; rua=mailto:a@b\u00fccher.test',
    UNREADABLE,
    `${NONE}; rua=mailto:a@xn--bcher-kva.test`,
  ],
  ['an address that cannot be mended', 'v=DMARC1; p=none; rua=mailto:a@@b.test', UNREADABLE, null, 'no address'],
  ['a percentage out of range', 'v=DMARC1; p=none; pct=150', UNREADABLE, `${NONE}; pct=100`, 'pct=150'],
  ['a percent sign', 'v=DMARC1; p=none; pct=50%', UNREADABLE, `${NONE}; pct=50`],
  [
    'alignment in a whole word',
    'v=DMARC1; p=none; adkim=relaxed; aspf=strict',
    UNREADABLE,
    // Receivers take both as relaxed: to offer "aspf=s" would be to ask for more than holds today.
    `${NONE}; adkim=r; aspf=r`,
    'adkim=relaxed',
  ],
  ['strict alignment in a whole word', 'v=DMARC1; p=none; aspf=strict', UNREADABLE, `${NONE}; aspf=r`, 'aspf=s'],
  ['options with commas', 'v=DMARC1; p=none; fo=0,1,d', UNREADABLE, `${NONE}; fo=0:1:d`],
  ['a word for y', 'v=DMARC1; p=reject; t=yes', UNREADABLE, 'v=DMARC1; p=reject; t=y'],
  ['neither a policy nor reports', 'v=DMARC1;', 'DMARC_WITHOUT_POLICY', NONE],
  // All receivers treat it as p=none (RFC 9989, section 4.10.1), which should be explicit in the record.
  ['no policy, but reports', 'v=DMARC1; rua=mailto:a@b.test', 'DMARC_WITHOUT_POLICY', NONE_REPORTS],
  ['the version behind the policy', 'p=reject; v=DMARC1; rua=mailto:a@b.test', SYNTAX, REPORTS, 'must come first'],
  [
    'no version',
    'p=reject; rua=mailto:a@b.test; sp=none',
    SYNTAX,
    'v=DMARC1; p=reject; rua=mailto:a@b.test; sp=none',
    '"v=DMARC1" is missing',
  ],
  [
    'no version, in quotation marks, with the policy last',
    '"rua=a@b.test; p = Quarantine;"',
    SYNTAX,
    'v=DMARC1; p=quarantine; rua=mailto:a@b.test',
    '"v=DMARC1" is missing',
  ],
  ['the version of a DKIM key', 'v=DKIM1; p=reject; rua=mailto:a@b.test', SYNTAX, REPORTS, 'begins with "v=DKIM1"'],
  ['a misspelt version', 'v=DMRAC1; p=reject', SYNTAX, REJECT, 'v=DMRAC1'],
  // The exact bytes: "\"v=DMARC1; ...\"" in a zone file. Receivers look for the version at the very beginning.
  ['quotation marks and a listed address', '"v=DMARC1; p=reject; rua=mailto:a@b.test"', 'QUOTES_IN_VALUE', REPORTS],
  ['one quotation mark', '"v=DMARC1; p=reject', 'QUOTES_IN_VALUE', REJECT],
  [
    'tags that every JavaScript object has',
    'v=DMARC1; p=rejct; constructor=1; __proto__=2',
    SYNTAX,
    'v=DMARC1; p=reject; constructor=1',
  ],
  ['only a policy for subdomains', 'v=DMARC1; sp=reject', 'DMARC_WITHOUT_POLICY', `${NONE}; sp=reject`],
])('%s', (_, text, code, offer, part = '') => {
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
