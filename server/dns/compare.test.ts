import { type Answer, encode } from 'dns-packet';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from './compare.ts';
import { type Expectation, expectationsOf, UnreadableExpectation } from './expectation.ts';
import { decodeAnswer, type Message } from './message.ts';
import { readReply } from './readReply.ts';

const QUESTION = { name: 'bounce.example.test', type: 'TXT', isRecursive: false } as const;

function expected(type: string, name: string, value: string): Expectation {
  const [one] = expectationsOf({
    name: 'example.test',
    mail_from_domain: 'bounce.example.test',
    dns: [{ type, name, value, is_valid: null }],
  });
  if (one === undefined || one instanceof UnreadableExpectation) throw one;
  return one;
}

/** What is read of an answer with these TXT records, each as its strings, after its way over the wire. */
function published(records: (string | Buffer)[][]): Message {
  const answers = records.map((data) => ({ type: 'TXT' as const, name: QUESTION.name, ttl: 60, data }));
  const questions = [{ type: QUESTION.type, name: QUESTION.name }];
  const message = decodeAnswer(encode({ type: 'response', id: 7, questions, answers }), 7, QUESTION);
  if (message === null) throw new Error('The packet was refused.');
  return message;
}

const randomCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => Array.from(text, (char, index) => (upper[index] ? char.toUpperCase() : char)).join(''));
const withDot = (text: string) => fc.boolean().map((dot) => (dot ? `${text}.` : text));
const written = (text: string) => randomCase(text).chain(withDot);

/** The same text, cut into strings anywhere. */
const split = (text: string) =>
  fc.uniqueArray(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 8 }).map((cuts) => {
    const at = [0, ...cuts.toSorted((one, other) => one - other), text.length];
    return at.slice(1).map((end, index) => text.slice(at[index], end));
  });

test.each([
  ['CNAME', 'k1.dkim.provider.test', ''],
  ['MX', 'mx.provider.test', '10 '],
])('letter case and a final dot mean nothing in a %s', (type, target, priority) => {
  const property = (name: string, wanted: string, value: string) => {
    const data = { name: 'k1.example.test', type, ttl: 60, value, priority: type === 'MX' ? 10 : null };
    const one = expected(type, name, priority + wanted);
    expect(one.name).toBe('k1.example.test');
    expect(compare(one, [data], 'example.test')).toEqual({ code: 'MATCH' });
    expect(compare(one, [{ ...data, value: `x${value}` }], 'example.test')).toEqual({ code: 'WRONG_TARGET' });
  };
  const name = fc.oneof(written('k1.example.test'), randomCase('k1'));
  fc.assert(fc.property(name, written(target), written(target), property));
});

test.each([
  ['v=spf1 include:spf.provider.test ~all', 'MATCH'],
  ['v=spf1 ~all include:spf.provider.test', 'SPF_WITHOUT_INCLUDE'],
  ['hello', 'SPF_MISSING'],
])('how "%s" is cut into strings, and what stands beside it, means nothing', (text, code) => {
  const one = expected('TXT', '', 'v=spf1 include:spf.provider.test ~all');
  fc.assert(
    fc.property(
      split(text),
      fc.shuffledSubarray(['', 'token=1', 'other']),
      fc.boolean(),
      (strings, others, isFirst) => {
        const beside = others.map((other) => [other]);
        const { answers } = published(isFirst ? [strings, ...beside] : [...beside, strings]);
        expect(compare(one, answers, 'example.test').code).toBe(code);
      },
    ),
  );
});

const MX = ['10 mx.provider.test', '20 mx.other.test', '30 x'];
const SPF = 'v=spf1 include:spf.provider.test ~all';
const DMARC = 'v=DMARC1; p=none';

// Each row: type, name relative to example.test, expected value, published values, the verdict.
test.each<[Expectation['type'], string, string, string[], string]>([
  ['CNAME', 'k1._domainkey', 'k1.dkim.provider.test', ['k1.dkim.provider.test'], 'MATCH'],
  ['CNAME', 'k1._domainkey', 'k1.dkim.provider.test', ['k2.dkim.provider.test'], 'WRONG_TARGET'],
  ['CNAME', 'k1._domainkey', 'k1.provider.test', ['k1.provider.test.example.test'], 'TARGET_DOUBLED'],
  ['CNAME', 'k1._domainkey', 'k1.provider.test', ['k1.provider.test', 'k2.provider.test'], 'SEVERAL_CNAMES'],
  ['MX', 'bounce', '10 mx.provider.test', ['10 mx.provider.test'], 'MATCH'],
  ['MX', 'bounce', '10 mx.provider.test', ['20 mx.provider.test'], 'MX_PRIORITY'],
  ['MX', 'bounce', '10 mx.provider.test', MX, 'EXTRA_MX'],
  ['MX', 'in', '10 mx.provider.test', MX, 'EXTRA_VALUES'],
  ['TXT', 'bounce', SPF, ['token', SPF, ''], 'MATCH'],
  ['TXT', 'bounce', SPF, [SPF, 'v=spf1 a -all', 'token'], 'SEVERAL_SPF'],
  ['TXT', '_dmarc', DMARC, ['token', 'v=DMARC1; p=reject'], 'MATCH'],
  ['TXT', '_dmarc', DMARC, ['v=DMARC1; p=reject', DMARC], 'SEVERAL_DMARC'],
  ['TXT', '@', 'token=abc def', ['other', 'token=abc def'], 'MATCH'],
  ['TXT', '@', 'token=abc def', ['token=abc', 'token=def'], 'TEXT_MISSING'],
  ['A', 'track', '192.0.2.1', ['192.0.2.2', '192.0.2.1', '192.0.2.3'], 'EXTRA_VALUES'],
  ['NS', '@', 'ns1.provider.test', ['ns2.provider.test', 'ns3.provider.test'], 'WRONG_TARGET'],
])('%s at "%s": how names, values and answers are written does not change %s against %j', (...row) => {
  const [type, host, value, values, code] = row;
  const full = host === '@' ? 'example.test' : `${host}.example.test`;
  const isText = type === 'TXT';
  const spelling = (text: string) => (isText || type === 'A' ? fc.constant(text) : written(text));
  const property = (name: string, wanted: string, cuts: number[], order: string[], owner: string) => {
    const one = expected(type, name, wanted);
    const question = { name: full, type, isRecursive: false } as const;
    const answers = order.map((text) => answer(type, owner, text, cuts));
    const bytes = encode({ type: 'response', id: 7, questions: [{ type, name: owner }], answers });
    const message = decodeAnswer(bytes, 7, question);
    if (message === null) throw new Error('The packet was refused.');
    const { found, code: verdict } = readReply(one, message, 'example.test');
    expect(verdict).toBe(code);
    expect(found).toHaveLength(values.length);
  };
  fc.assert(
    fc.property(
      fc.oneof(written(full), host === '@' ? fc.constant('@') : randomCase(host)),
      spelling(value),
      fc.uniqueArray(fc.nat(40), { maxLength: 5 }),
      fc.shuffledSubarray(values, { minLength: values.length }),
      randomCase(full),
      property,
    ),
    { numRuns: 50 },
  );
});

function answer(type: Expectation['type'], name: string, value: string, cuts: readonly number[]): Answer {
  if (type === 'MX') {
    const [preference = '', exchange = ''] = value.split(' ');
    return { type, name, data: { preference: Number(preference), exchange } };
  }
  if (type !== 'TXT') return { type, name, data: value };
  const at = [0, ...cuts.toSorted((one, other) => one - other), value.length];
  return { type, name, data: at.slice(1).map((end, index) => value.slice(at[index], end)) };
}

test('only bytes that are the same are the same text', () => {
  const oddities = [0x80, 0xff, 'é', String.raw`\128`, String.raw`\233`, 'k', '\u212a', '\u00a0'];
  const bytes = oddities.map((one) => (typeof one === 'number' ? Buffer.from([one]) : Buffer.from(one)));
  for (const one of bytes) {
    const escaped = Array.from(one, (byte) => `\\${String(byte).padStart(3, '0')}`).join('');
    const wanted = expected('TXT', '', `"token=${escaped}!"`);
    for (const other of bytes) {
      const data = [Buffer.concat([Buffer.from('token='), other, Buffer.from('!')])];
      const { code } = compare(wanted, published([data]).answers, 'example.test');
      expect([one, other, code === 'MATCH']).toEqual([one, other, one.equals(other)]);
    }
  }
  const kelvin = { name: 'k1.example.test', type: 'CNAME', ttl: 60, value: '\u212a1.provider.test', priority: null };
  expect(compare(expected('CNAME', 'k1', 'k1.provider.test'), [kelvin], '').code).toBe('WRONG_TARGET');
});

test('white space in a DKIM key and the order of its tags mean nothing', () => {
  // An Ed25519 key, which is 32 bytes.
  const key = Buffer.alloc(32, 7).toString('base64');
  const one = expected('TXT', 's._domainkey', `v=DKIM1; k=ed25519; p=${key}`);
  fc.assert(
    fc.property(split(key), fc.shuffledSubarray(['k=ed25519', 's=email', 'n=note']), (parts, tags) => {
      const kind = tags.includes('k=ed25519') ? [] : ['k=ed25519'];
      const text = ['v=DKIM1', ...tags, `p=${parts.join(' ')}`, ...kind].join(';');
      const data = { name: 's', type: 'TXT', ttl: 1, value: text, priority: null };
      expect(compare(one, [data], 'example.test').code).toBe('MATCH');
    }),
  );
});

test('an expected text is read with or without quotes and escapes', () => {
  for (const value of ['v=spf1 a ~all', ' v=spf1 a ~all ', '"v=spf1 a" " ~all"', String.raw`"v=spf1\032a \~all"`]) {
    expect(expected('TXT', '', value).value).toBe('v=spf1 a ~all');
  }
  // No byte has this number.
  expect(expected('TXT', '', String.raw`"\300"`).value).toBe('300');
});

test.each([
  ['_dmarc.bücher.test', '_dmarc.xn--bcher-kva.test.example.test'],
  ['@', 'example.test'],
  ['k1', 'k1.example.test'],
  ['k1.EXAMPLE.test.', 'k1.example.test'],
])('the host %j is read as %s', (host, name) => {
  expect(expected('A', host, '192.0.2.1').name).toBe(name);
});

test.each([
  'a..b',
  'x'.repeat(64),
  `${'abcdefgh.'.repeat(30)}a`,
  'a b',
  '*',
  '10.0.0.1.',
  'metadata.google.internal.',
  'a;b',
])('the host %j is not asked for', (host) => {
  expect(() => expected('A', host, '192.0.2.1')).toThrow(UnreadableExpectation);
});

test.each(['localhost', '10.0.0.1', 'metadata.google.internal', 'printer.local', '1.0.0.127.in-addr.arpa', 'test', ''])(
  'the domain %j is not asked for',
  (name) => {
    const dns = [{ type: 'A', name: '@', value: '192.0.2.1', is_valid: null }];
    expect(expectationsOf({ name, mail_from_domain: null, dns })).toEqual([expect.any(UnreadableExpectation)]);
  },
);

test('a MAIL FROM name that is not public is none', () => {
  const dns = [{ type: 'A', name: 'metadata.google.internal', value: '192.0.2.1', is_valid: null }];
  const read = (mail_from_domain: string) => expectationsOf({ name: 'example.test', mail_from_domain, dns });
  for (const mailFrom of ['google.internal', 'internal', '10.0.0.1']) {
    expect(read(mailFrom)).toMatchObject([{ name: 'metadata.google.internal.example.test' }]);
  }
});

test('records that are expected beside each other are not too many for each other', () => {
  const values = ['10 mx1.provider.test', '20 mx2.provider.test'];
  const dns = values.map((value) => ({ type: 'MX', name: '@', value, is_valid: null }));
  const [first, second] = expectationsOf({ name: 'example.test', mail_from_domain: 'example.test', dns });
  const found = ['mx1', 'mx2', 'mx3'].map((host, index) => ({
    name: 'example.test',
    type: 'MX',
    ttl: 60,
    value: `${host}.provider.test`,
    priority: (index + 1) * 10,
  }));
  for (const one of [first, second]) {
    if (one === undefined || one instanceof UnreadableExpectation) throw one;
    expect(compare(one, found.slice(0, 2), 'example.test')).toEqual({ code: 'MATCH' });
    expect(compare(one, found, 'example.test')).toEqual({ code: 'EXTRA_MX', detail: '30 mx3.provider.test' });
  }
});
