import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from './compare.ts';
import { type Expectation, expectationsOf, UnreadableExpectation } from './expectation.ts';
import { decodeAnswer, encodeQuestion, type Message } from './message.ts';
import { decode, encode } from 'dns-packet';

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
function published(records: string[][]): Message {
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

test('a damaged packet is refused or read, and does nothing else', () => {
  const soa = { mname: 'a.test', rname: 'b.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };
  const whole = encode({
    type: 'response',
    id: 7,
    questions: [{ type: 'TXT', name: QUESTION.name }],
    answers: [
      { type: 'TXT', name: QUESTION.name, ttl: 60, data: ['v=spf1', 'x'.repeat(200)] },
      { type: 'MX', name: QUESTION.name, ttl: 60, data: { preference: 10, exchange: 'mx.example.test' } },
    ],
    authorities: [{ type: 'SOA', name: 'example.test', ttl: 60, data: soa }],
  });
  expect(decodeAnswer(whole, 7, QUESTION)?.answers).toHaveLength(2);
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(whole.length), (changes, length) => {
      const packet = Buffer.from(whole.subarray(0, length < whole.length / 4 ? length : whole.length));
      for (const [at, byte] of changes) if (at < packet.length) packet[at] = byte;
      const message = decodeAnswer(packet, 7, QUESTION);
      if (message !== null) expect(message.answers.every(({ value }) => typeof value === 'string')).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

test('a record that is longer than its packet makes the packet broken', () => {
  const packet = encode({
    type: 'response',
    id: 7,
    questions: [{ type: 'TXT', name: QUESTION.name }],
    answers: [{ type: 'TXT', name: QUESTION.name, ttl: 60, data: 'abc' }],
  });
  expect(decodeAnswer(packet, 7, QUESTION)).not.toBeNull();
  packet.writeUInt16BE(40, packet.length - 6);
  expect(decodeAnswer(packet, 7, QUESTION)).toBeNull();
});

test('only an answer with the id, the name and the type of the question is one', () => {
  const packet = encode({ type: 'response', id: 7, questions: [{ type: 'TXT', name: 'BOUNCE.example.test' }] });
  expect(decodeAnswer(packet, 7, QUESTION)).not.toBeNull();
  expect(decodeAnswer(packet, 8, QUESTION)).toBeNull();
  expect(decodeAnswer(packet, 7, { ...QUESTION, type: 'MX' })).toBeNull();
  expect(decodeAnswer(packet, 7, { ...QUESTION, name: 'example.test' })).toBeNull();
  expect(decodeAnswer(encodeQuestion(7, QUESTION), 7, QUESTION)).toBeNull();
});

test('a question asks for what can be checked and nothing else', () => {
  const asked = decode(encodeQuestion(258, { ...QUESTION, isRecursive: true, isUnchecked: true }));
  expect(asked).toMatchObject({ id: 258, flag_qr: false, flag_rd: true, flag_cd: true, flag_ad: true });
  expect(decode(encodeQuestion(0, QUESTION))).toMatchObject({ flag_rd: false, flag_cd: false });
});
