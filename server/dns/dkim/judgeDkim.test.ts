import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogue, type Judgement } from '../catalogue/catalogue.ts';
import type { SentenceContext, CatalogueEntry } from '../catalogue/catalogueEntry.ts';
import type { CutFacts } from '../text/measureCut.ts';
import { judgeDkim } from './judgeDkim.ts';
import {
  CERTIFICATE,
  EC,
  ED25519,
  pkcs1,
  raw,
  RSA_1024,
  RSA_2048,
  RSA_768,
  RSA_8192,
  RSA_OTHER,
  spki,
} from '../../testing/testKeys.ts';

const KEY = spki(RSA_2048);
const TEXT = `v=DKIM1; k=rsa; p=${KEY}`;
const PEM = RSA_2048.publicKey.export({ format: 'pem', type: 'spki' });
const PRIVATE = RSA_2048.privateKey.export({ format: 'pem', type: 'pkcs8' });
const OTHER_PRIVATE = RSA_OTHER.privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64');
const lines = (pem: string) => pem.replaceAll('\n', '');

const ABOUT: SentenceContext = {
  role: 'record',
  domain: 'example.test',
  name: 'k1._domainkey.example.test',
  type: 'TXT',
  zone: 'example.test',
  host: 'k1._domainkey',
  dnsHost: 'at the DNS host',
  expected: '',
  found: [],
};

/** The diagnosis, regardless of who is responsible. */
function said({ code, facts }: Judgement, about = ABOUT): string {
  const { describe: says } = catalogue[code] as CatalogueEntry<object>;
  return says(facts, about);
}

/** The judgement of one key behind the CNAME of a provider: receivers get `text`. */
type Row = [says: string, text: string, code: string, facts?: object];

const KEYS: Row[] = [
  ['The usual key.', TEXT, 'MATCH'],
  ['A key is all that is needed: "v=" and "k=" may be left out.', `p=${KEY}`, 'MATCH'],
  ['The last semicolon may be there.', `${TEXT};`, 'MATCH'],
  ['White space in the key means nothing.', `v=DKIM1;k=rsa;p=${KEY.slice(0, 99)} \r\n\t${KEY.slice(99)}`, 'MATCH'],
  ['White space around tags means nothing.', ` v = DKIM1 ;  p = ${KEY}`, 'MATCH'],
  ['Unknown tags and notes are ignored.', `v=DKIM1; x=1; n=see http://x.test/?p=1; p=${KEY}`, 'MATCH'],
  ['Granularity was taken out of the standard.', `v=DKIM1; g=*; p=${KEY}`, 'MATCH'],
  [
    'The form of the key that RFC 6376 names, which OpenDKIM and rspamd refuse.',
    `v=DKIM1; p=${pkcs1(RSA_2048)}`,
    'DKIM_PKCS1',
  ],
  [
    'Encoded for a web address.',
    `v=DKIM1; p=${encodeURIComponent(KEY)}`,
    'DKIM_BROKEN_KEY',
    { why: expect.stringContaining('%2B') },
  ],
  ['Strict about subdomains, which is a choice.', `v=DKIM1; t=s; p=${KEY}`, 'MATCH'],
  ['sha256 among others.', `v=DKIM1; h=sha1:sha256; p=${KEY}`, 'MATCH'],
  ['Withdrawn.', 'v=DKIM1; p=', 'DKIM_REVOKED'],
  ['768 bits are refused (RFC 8301).', `v=DKIM1; p=${spki(RSA_768)}`, 'DKIM_WEAK_KEY', { bits: 768 }],
  ['1024 bits work, and are short.', `v=DKIM1; p=${spki(RSA_1024)}`, 'DKIM_SHORT_KEY', { bits: 1024 }],
  ['8192 bits are more than receivers must read.', `v=DKIM1; p=${spki(RSA_8192)}`, 'DKIM_LONG_KEY', { bits: 8192 }],
  ['Only sha1, which nobody accepts.', `v=DKIM1; h=sha1; p=${KEY}`, 'DKIM_WITHOUT_SHA256', { hashes: ['sha1'] }],
  ['Not for mail.', `v=DKIM1; s=tlsrpt; p=${KEY}`, 'DKIM_NOT_FOR_MAIL', { services: ['tlsrpt'] }],
  ['In test mode.', `v=DKIM1; t=y; p=${KEY}`, 'DKIM_TEST_MODE'],
  ['The key is no base64.', `v=DKIM1; p=${KEY.slice(0, 50)}*${KEY.slice(51)}`, 'DKIM_BROKEN_KEY'],
  ['Base64 of something else.', `v=DKIM1; p=${Buffer.from('hello').toString('base64')}`, 'DKIM_BROKEN_KEY'],
  [
    'The end of the key is missin.',
    `v=DKIM1; p=${KEY.slice(0, 236)}`,
    'DKIM_BROKEN_KEY',
    { why: 'its end is missing' },
  ],
  ['A key of another kind than it says.', `v=DKIM1; k=rsa; p=${spki(EC)}`, 'DKIM_BROKEN_KEY'],
  ['An Ed25519 key that does not say so.', `v=DKIM1; p=${raw(ED25519)}`, 'DKIM_BROKEN_KEY'],
  ['An Ed25519 key as OpenSSL writes it.', `v=DKIM1; k=ed25519; p=${spki(ED25519)}`, 'DKIM_BROKEN_KEY'],
  ['Ed25519 alone is too new for large receivers.', `v=DKIM1; k=ed25519; p=${raw(ED25519)}`, 'DKIM_ED25519'],
  ['A kind that nobody knows.', `v=DKIM1; k=dsa; p=${KEY}`, 'DKIM_UNKNOWN_KIND', { kind: 'dsa' }],
  // dkimpy 1.1.4 refuses a kind or service in other letters and an empty tag, and accepts the rest.
  [
    'A kind in capitals.',
    `v=DKIM1; k=RSA; p=${KEY}`,
    'DKIM_LOOSE_SYNTAX',
    { what: '"k=RSA" must be in small letters' },
  ],
  ['A kind in capitals, with a key that is too short.', `v=DKIM1; k=RSA; p=${spki(RSA_768)}`, 'DKIM_WEAK_KEY'],
  ['A service in capitals.', `v=DKIM1; s=EMAIL; p=${KEY}`, 'DKIM_NOT_FOR_MAIL', { services: ['EMAIL'] }],
  ['A hash in capitals.', `v=DKIM1; h=SHA256; p=${KEY}`, 'DKIM_LOOSE_SYNTAX'],
  ['A hash that nobody knows.', `v=DKIM1; h=SHA1; p=${KEY}`, 'DKIM_WITHOUT_SHA256', { hashes: ['SHA1'] }],
  ['A line feed inside the key.', `v=DKIM1; p=${KEY.slice(0, 99)}\n${KEY.slice(99)}`, 'DKIM_LOOSE_SYNTAX'],
  ['A folded line inside the key.', `v=DKIM1; p=${KEY.slice(0, 99)}\r\n ${KEY.slice(99)}`, 'MATCH'],
  [
    'An empty tag inside.',
    `v=DKIM1; k=rsa;; p=${KEY}`,
    'DKIM_LOOSE_SYNTAX',
    { what: 'there is nothing between two ";"' },
  ],
  ['An empty tag at the end.', `${TEXT};;`, 'DKIM_LOOSE_SYNTAX'],
  ['The version must come first.', `k=rsa; v=DKIM1; p=${KEY}`, 'DKIM_VERSION_NOT_FIRST'],
  ['The version in these very letters.', `v=dkim1; p=${KEY}`, 'DKIM_VERSION'],
  [
    'Two keys in one record are n.',
    `v=DKIM1; p=${spki(RSA_OTHER)}; p=${KEY}`,
    'DKIM_SYNTAX',
    { what: '"p=" is there twice' },
  ],
  ['There is no key.', 'v=DKIM1; k=rsa', 'DKIM_SYNTAX', { what: '"p=" with the key is missing' }],
  ['Only the key was pasted.', KEY, 'DKIM_SYNTAX', { what: 'there is no "p=" before the key' }],
  ['Upper-case tags are other tags.', `V=DKIM1; P=${KEY}`, 'DKIM_SYNTAX'],
  ['Commas.', `v=DKIM1, k=rsa, p=${KEY}`, 'DKIM_SYNTAX', { what: 'the ";" before "k=" is written as ","' }],
  ['No semicolons.', `v=DKIM1 k=rsa p=${KEY}`, 'DKIM_SYNTAX', { what: 'the ";" before "k=" is missing' }],
  ['A tag after the key without.', `v=DKIM1; p=${KEY} t=s`, 'DKIM_SYNTAX', { what: 'the ";" before "t=" is missing' }],
  ['An SPF record, as a wildcard gives it.', 'v=spf1 -all', 'DKIM_SYNTAX', { what: 'it is an SPF record' }],
  ['The lines of the file.', `v=DKIM1; p=${lines(PEM)}`, 'DKIM_PEM_LINES'],
  ['The file as it is.', PEM, 'DKIM_PEM_LINES'],
  ['A certificate is no key.', `v=DKIM1; p=${CERTIFICATE}`, 'DKIM_CERTIFICATE'],
  ['Nor in its file.', `-----BEGIN CERTIFICATE-----${CERTIFICATE}-----END CERTIFICATE-----`, 'DKIM_CERTIFICATE'],
  ['The private key!', `v=DKIM1; p=${OTHER_PRIVATE}`, 'DKIM_PRIVATE_KEY'],
  ['The file of the private key!', lines(PRIVATE), 'DKIM_PRIVATE_KEY'],
];

test.each(KEYS)('behind a CNAME: %s', (_, text, code, facts = {}) => {
  const judged = judgeDkim({ texts: [text], expected: null, by: 'provider' });
  expect(judged).toMatchObject({ code, facts: code === 'MATCH' ? {} : { by: 'provider', ...facts } });
  if (judged === null || judged.code === 'MATCH') return;
  // The owner of the domain can enter nothing.
  expect(judged.offer).toBeNull();
  expect(said(judged)).toMatch(/the provider/);
  const behind = said(judged, { ...ABOUT, type: 'CNAME', expected: 'k1.dkim.test' });
  expect(behind).not.toMatch(/,[,:.]|\. ?\.| {2}/);
});

// The listed text is `TEXT`, and the owner of the domain publishes it. Each row: what is published, who is responsible.
test.each<[string, string[], string, ('owner' | 'provider')?]>([
  ['as it is listed', [TEXT], 'MATCH'],
  ['with other tags in another order', [`v=DKIM1; n=mine; p=${KEY}; k=rsa`], 'MATCH'],
  ['in the other form', [`p=${pkcs1(RSA_2048)}`], 'DKIM_PKCS1', 'owner'],
  ['in small letters', [TEXT.toLowerCase()], 'DKIM_BROKEN_KEY', 'owner'],
  ['encoded for a web address', [TEXT.replaceAll('+', '%2B')], 'DKIM_BROKEN_KEY', 'owner'],
  ['encoded for a web page', [TEXT.replaceAll('+', '&#43;')], 'DKIM_BROKEN_KEY', 'owner'],
  ['with an ampersand in a note', [`v=DKIM1; n=mail&more; p=${KEY}`], 'MATCH'],
  ['with its strings in the wrong order', [TEXT.slice(255) + TEXT.slice(0, 255)], 'STRINGS_SWAPPED'],
  ['next to an empty text', ['', TEXT, ' '], 'MATCH'],
  ['another key', [`v=DKIM1; p=${spki(RSA_OTHER)}`], 'DKIM_OTHER_KEY', 'owner'],
  ['another key, which is too short', [`v=DKIM1; p=${spki(RSA_768)}`], 'DKIM_WEAK_KEY', 'owner'],
  ['withdrawn', ['v=DKIM1; p='], 'DKIM_REVOKED', 'owner'],
  ['with t=y, which is not listed', [`v=DKIM1; t=y; p=${KEY}`], 'DKIM_TEST_MODE', 'owner'],
  ['in two records', [TEXT.slice(0, 250), TEXT.slice(250)], 'KEY_IN_SEVERAL_RECORDS', 'owner'],
  ['next to another key', [TEXT, `v=DKIM1; p=${spki(RSA_OTHER)}`], 'KEY_IN_SEVERAL_RECORDS', 'owner'],
  ['cut after 255 characters', [TEXT.slice(0, 255)], 'VALUE_CUT'],
  ['in quotation marks', [`"${TEXT}"`], 'QUOTES_IN_VALUE'],
  ['as the two strings of a zone file', [`"${TEXT.slice(0, 200)}" "${TEXT.slice(200)}"`], 'QUOTES_IN_VALUE'],
  ['in smart quotes', [`\u201c${TEXT}\u201d`], 'SPOILT_CHARACTERS'],
  ['with a zero-width space in the key', [`${TEXT.slice(0, 99)}\u200b${TEXT.slice(99)}`], 'SPOILT_CHARACTERS'],
  ['with a no-break space between tags', [TEXT.replace('; k', ';\u00a0k')], 'SPOILT_CHARACTERS'],
  ['with a blank before it', [` ${TEXT}`], 'MATCH'],
  ['with a lost letter', [TEXT.slice(0, 99) + TEXT.slice(100)], 'VALUE_CUT'],
  [
    'with another letter',
    [TEXT.slice(0, 99) + (TEXT.charAt(99) === '/' ? 'a' : '/') + TEXT.slice(100)],
    'DKIM_OTHER_KEY',
    'owner',
  ],
  ['with blanks for "+"', [TEXT.replaceAll('+', ' ')], 'DKIM_BROKEN_KEY', 'owner'],
  [
    'in capital letters from its second string on',
    [TEXT.slice(0, 255) + TEXT.slice(255).toUpperCase()],
    'DKIM_BROKEN_KEY',
    'owner',
  ],
  ['with the lines of its file', [`v=DKIM1; p=${lines(PEM)}`], 'DKIM_PEM_LINES', 'owner'],
  ['with an empty tag', [`${TEXT};;`], 'DKIM_LOOSE_SYNTAX', 'owner'],
  ['without semicolons', [TEXT.replaceAll(';', '')], 'DKIM_SYNTAX', 'owner'],
])('the listed key %s', (_, texts, code, by) => {
  const judged = judgeDkim({ texts, expected: TEXT, by: 'owner' });
  expect(judged).toMatchObject({ code, facts: by === undefined ? {} : { by } });
  // The listed value is offered.
  expect(judged?.offer).toBeUndefined();
  if (judged !== null) expect(said(judged)).not.toMatch(/nothing to change|the provider must/);
});

// Each row: what is listed, what is published, the code: it is for the provider to change.
test.each([
  [`v=DKIM1; p=${spki(RSA_768)}`, `p=${spki(RSA_768)}`, 'DKIM_WEAK_KEY'],
  ['v=DKIM1; p=', 'v=DKIM1; p=', 'DKIM_REVOKED'],
  ['v=DKIM1; p=abc', 'v=DKIM1; p=abc', 'DKIM_BROKEN_KEY'],
  // Short, which is advice.
  [`v=DKIM1; p=${spki(RSA_1024)}`, `v=DKIM1; p=${spki(RSA_1024)}`, 'DKIM_SHORT_KEY'],
  ['v=DKIM1; p=abc', TEXT, 'EXPECTED_KEY_UNREADABLE'],
])('the listed key %j is of no use itself', (expected, text, code) => {
  const judged = judgeDkim({ texts: [text], expected, by: 'owner' });
  expect(judged).toMatchObject({ code, offer: null });
  if (code !== 'EXPECTED_KEY_UNREADABLE') expect(judged).toMatchObject({ facts: { by: 'provider' } });
});

test('what is wrong at a provider is not for the owner of the domain to type', () => {
  const texts = [`v=DKIM1; p=${spki(RSA_OTHER)}`];
  const judged = { code: 'DKIM_OTHER_KEY', facts: { by: 'provider' }, offer: null };
  expect(judgeDkim({ texts, expected: TEXT, by: 'provider' })).toEqual(judged);
});

test('a published private key ruins the listed key that belongs to it', () => {
  const text = `v=DKIM1; p=${RSA_2048.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')}`;
  const judged = { code: 'DKIM_PRIVATE_KEY', facts: { by: 'owner', isListed: true }, offer: null };
  expect(judgeDkim({ texts: [text], expected: TEXT, by: 'owner' })).toEqual(judged);
  expect(judgeDkim({ texts: [lines(PRIVATE)], expected: TEXT, by: 'owner' })).toEqual(judged);
  const other = judgeDkim({ texts: [`p=${OTHER_PRIVATE}`], expected: TEXT, by: 'owner' });
  expect(other).toMatchObject({ facts: { isListed: false } });
  expect(other?.offer).toBeUndefined();
});

test.each(['pkcs8', 'pkcs1'] as const)('a cut private key (%s) may be the listed one: nothing is offered', (type) => {
  const whole = RSA_2048.privateKey.export({ format: 'der', type }).toString('base64');
  for (const length of [40, 60, 100, 800, whole.length - 20, whole.length - 5]) {
    const judged = judgeDkim({ texts: [`v=DKIM1; p=${whole.slice(0, length)}`], expected: TEXT, by: 'owner' });
    const cut = { code: 'DKIM_PRIVATE_KEY', facts: { by: 'owner', isListed: null }, offer: null };
    expect(judged).toEqual(cut);
  }
});

test('a private key of elliptic curves is one in each form', () => {
  for (const type of ['pkcs8', 'sec1'] as const) {
    const secret = EC.privateKey.export({ format: 'der', type }).toString('base64');
    const judged = judgeDkim({ texts: [`p=${secret}`], expected: TEXT, by: 'owner' });
    expect(judged).toMatchObject({ code: 'DKIM_PRIVATE_KEY', facts: { isListed: false } });
  }
  const expected = `v=DKIM1; k=ed25519; p=${raw(ED25519)}`;
  const secret = ED25519.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const judged = judgeDkim({ texts: [`v=DKIM1; k=ed25519; p=${secret}`], expected, by: 'owner' });
  expect(judged).toMatchObject({ code: 'DKIM_PRIVATE_KEY', facts: { isListed: true }, offer: null });
});

test('an Ed25519 key next to others is right', () => {
  const expected = `v=DKIM1; k=ed25519; p=${raw(ED25519)}`;
  expect(judgeDkim({ texts: [expected], expected, by: 'owner' })?.code).toBe('DKIM_ED25519');
  expect(judgeDkim({ texts: [expected], expected, by: 'owner', hasOthers: true })).toEqual({
    code: 'MATCH',
    facts: {},
  });
});

test('a text of one piece again and again keeps nobody busy', () => {
  for (const piece of [' ', '-', '"', 'p=', 'BEGIN ', ';', '\u200b', ' p']) {
    judgeDkim({ texts: [`v=DKIM1; ${piece.repeat(60_000 / piece.length)}x`], expected: TEXT, by: 'owner' });
  }
});

test('no text is no key', () => {
  for (const texts of [[], ['', ' ']]) expect(judgeDkim({ texts, expected: TEXT, by: 'owner' })).toBeNull();
});

test('how white space is put into a key, and the order of its tags, mean nothing', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: KEY.length - 1 }), { maxLength: 6 });
  fc.assert(
    fc.property(cuts, fc.shuffledSubarray(['k=rsa', 's=email', 'n=note', 't=s', 'h=sha256']), (at, tags) => {
      const points = [0, ...at.toSorted((one, other) => one - other), KEY.length];
      const key = points.slice(1).map((end, index) => KEY.slice(points[index], end));
      const text = ['v=DKIM1', ...tags, `p=${key.join(' \t')}`].join('; ');
      expect(judgeDkim({ texts: [text], expected: TEXT, by: 'owner' })?.code).toBe('MATCH');
    }),
    { numRuns: 40 },
  );
});

const LONG = `v=DKIM1; k=rsa; p=${spki(RSA_8192)}`;

test('its strings in any wrong order are told from another key, whatever stands before them', () => {
  const key = LONG.slice(LONG.indexOf('p=') + 2);
  const strings = Array.from({ length: Math.ceil(key.length / 255) }, (_, at) => key.slice(at * 255, (at + 1) * 255));
  fc.assert(
    fc.property(fc.shuffledSubarray(strings, { minLength: strings.length }), (shuffled) => {
      if (shuffled.join('') === key) return;
      const judged = judgeDkim({ texts: [`v=DKIM1;p=${shuffled.join('')}`], expected: LONG, by: 'owner' });
      expect(judged).toMatchObject({ code: 'STRINGS_SWAPPED' });
    }),
    { numRuns: 50 },
  );
  const other = `v=DKIM1; p=${Array.from(key).toReversed().join('')}`;
  expect(judgeDkim({ texts: [other], expected: LONG, by: 'owner' })).toMatchObject({ code: 'DKIM_BROKEN_KEY' });
});

// Each row: what is published of the key, and what is said of it.
test.each<[published: string, expected: string, facts: Partial<CutFacts>]>([
  [TEXT.slice(0, -6), TEXT, { before: TEXT.length - 6, missing: 6, of: TEXT.length, strings: 2 }],
  [LONG.slice(0, 510), LONG, { before: 510, missing: LONG.length - 510, strings: Math.ceil(LONG.length / 255) }],
  // Its first string, and one in its middle.
  [TEXT.slice(255), TEXT, { before: 0, missing: 255, of: TEXT.length, shown: TEXT.slice(255, 267) }],
  [LONG.slice(0, 255) + LONG.slice(510), LONG, { before: 255, missing: 255, shown: LONG.slice(243, 255) }],
  // Other tags stand before the key, so that only its own characters can be counted.
  [`p=${KEY.slice(0, -9)}`, TEXT, { before: KEY.length - 9, missing: 9, of: KEY.length, shown: KEY.slice(-21, -9) }],
])('a cut key says where it ends and how much is missing (%#)', (published, expected, facts) => {
  const judged = judgeDkim({ texts: [published], expected, by: 'owner' });
  expect(judged).toMatchObject({ code: 'VALUE_CUT', facts });
});
