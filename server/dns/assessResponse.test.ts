import { type Answer, encode } from 'dns-packet';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { assessResponse } from './assessResponse.ts';
import { DnsClient } from './conversation/dnsClient.ts';
import {
  type ExpectedRecord,
  parseExpectedRecords,
  type SendingDomain,
  UnreadableRecordError,
} from './expectedRecord.ts';
import { Inspection } from './inspection.ts';
import { decodeResponse, EMPTY_RESPONSE, type ResourceRecord } from './wire/message.ts';
import { DMARC, KEY, SPF } from '../testing/testZone.ts';
import type { Judgement } from './catalogue/catalogue.ts';
import { Conversation } from './conversation/conversation.ts';

/** The provider's records; everything else does not exist. */
const KNOWN: Readonly<Record<string, string>> = {
  'k1.dkim.provider.test TXT': KEY,
  'spf.provider.test TXT': 'v=spf1 ip4:192.0.2.0/24 -all',
  'mx.provider.test A': '192.0.2.25',
  'mx1.provider.test A': '192.0.2.26',
  'inside.provider.test A': '127.0.0.1',
  'mx2.provider.test A': '192.0.2.27',
};

/** Answers from this process. */
const client = new DnsClient({
  resolvers: [{ address: '192.0.2.53', port: 53 }],
  transport: async (_, { name, type }) => {
    const value = KNOWN[`${name} ${type}`];
    const answers = value === undefined ? [] : [{ name, type, ttl: 60, value, priority: null }];
    return { ...EMPTY_RESPONSE, isAuthoritative: false, answers, rcode: value === undefined ? 'NXDOMAIN' : 'NOERROR' };
  },
});

type Listed = { type: string; name: string; value: string };

function expectations(...listed: Listed[]): ExpectedRecord[] {
  const dns = listed.map((record): NonNullable<SendingDomain['dns']>[number] => ({ ...record, is_valid: null }));
  return parseExpectedRecords({ name: 'example.test', mail_from_domain: 'bounce.example.test', dns }).map((one) => {
    if (one instanceof UnreadableRecordError) throw one;
    return one;
  });
}

const inspect = (expected: ExpectedRecord) => new Inspection(Conversation.start(client), expected);

/** The judgement of `answers`, after encoding and decoding, for the one listed record. */
async function assessed(
  type: ExpectedRecord['type'],
  name: string,
  value: string,
  answers: Answer[],
): Promise<Judgement> {
  const [one] = expectations({ type, name, value });
  if (one === undefined) throw new Error('There is one record.');
  const question = { name: one.name, type, isRecursive: false };
  const bytes = encode({ type: 'response', id: 7, questions: [{ type, name: one.name }], answers });
  const response = decodeResponse(bytes, 7, question);
  if (response === null) throw new Error('The packet was refused.');
  return assessResponse(inspect(one), response);
}

const codeOf = async (...about: Parameters<typeof assessed>) => (await assessed(...about)).code;

const randomCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => Array.from(text, (char, index) => (upper[index] ? char.toUpperCase() : char)).join(''));
const withDot = (text: string) => fc.boolean().map((dot) => (dot ? `${text}.` : text));
const written = (text: string) => randomCase(text).chain(withDot);

const MX = ['10 mx.provider.test', '20 mx.other.test', '30 x'];

// Each row: type, name relative to example.test, expected value, published values, the code.
test.each<[ExpectedRecord['type'], string, string, string[], string]>([
  ['CNAME', 'k1._domainkey', 'k1.dkim.provider.test', ['k1.dkim.provider.test'], 'MATCH'],
  ['CNAME', 'k1._domainkey', 'k1.dkim.provider.test', ['xk1.dkim.provider.test'], 'WRONG_TARGET'],
  ['CNAME', 'k1._domainkey', 'gone.dkim.provider.test', ['gone.dkim.provider.test'], 'DKIM_KEY_MISSING'],
  ['CNAME', 'click', 'gone.provider.test', ['gone.provider.test'], 'TARGET_NOT_THERE'],
  ['CNAME', 'k1._domainkey', 'k1.provider.test', ['k1.provider.test.example.test'], 'TARGET_DOUBLED'],
  ['CNAME', 'k1._domainkey', 'k1.provider.test', ['k1.provider.test', 'k2.provider.test'], 'SEVERAL_CNAMES'],
  ['MX', 'bounce', '10 mx.provider.test', ['10 mx.provider.test'], 'MATCH'],
  ['MX', 'bounce', '10 mx.provider.test', ['10 xmx.provider.test'], 'WRONG_TARGET'],
  ['MX', 'bounce', '10 gone.provider.test', ['10 gone.provider.test'], 'MX_TARGET_WITHOUT_ADDRESS'],
  ['MX', 'bounce', '10 inside.provider.test', ['10 inside.provider.test'], 'MX_TARGET_PRIVATE'],
  ['MX', 'bounce', '10 mx.provider.test', ['20 mx.provider.test'], 'MX_PRIORITY'],
  ['MX', 'bounce', '10 mx.provider.test', MX, 'EXTRA_MX'],
  // SES and others: exactly one MX at the MAIL FROM name.
  ['MX', 'bounce', '10 mx.provider.test', ['10 mx.provider.test', '20 mx.provider.test'], 'MAIL_FROM_MX_TWICE'],
  ['MX', 'in', '10 mx.provider.test', ['10 mx.provider.test', '20 mx.provider.test'], 'MX_TWICE'],
  ['MX', 'in', '10 mx.provider.test', MX, 'EXTRA_VALUES'],
  ['TXT', 'bounce', SPF, ['token', SPF, ''], 'MATCH'],
  ['TXT', 'bounce', SPF, [SPF, 'v=spf1 ip4:192.0.2.1 -all', 'token'], 'SEVERAL_SPF'],
  ['TXT', '_dmarc', DMARC, ['token', 'v=DMARC1; p=reject'], 'MATCH'],
  ['TXT', '_dmarc', DMARC, ['v=DMARC1; p=reject', DMARC], 'SEVERAL_DMARC'],
  ['TXT', '@', 'token=abc def', ['other', 'token=abc def'], 'MATCH'],
  ['TXT', '@', 'token=abc def', ['token=abc', 'token=def'], 'TEXT_MISSING'],
  ['A', 'track', '192.0.2.1', ['192.0.2.2', '192.0.2.1', '192.0.2.3'], 'EXTRA_VALUES'],
  ['NS', '@', 'ns1.provider.test', ['ns2.provider.test', 'ns3.provider.test'], 'WRONG_TARGET'],
])('%s at "%s": how names, values and answers are written does not change what %s against %j is', async (...row) => {
  const [type, host, value, values, code] = row;
  const full = host === '@' ? 'example.test' : `${host}.example.test`;
  const spelling = (text: string) => (type === 'TXT' || type === 'A' ? fc.constant(text) : written(text));
  const property = async (name: string, wanted: string, cuts: number[], order: string[], owner: string) => {
    const answers = order.map((text) => answer(type, owner, text, cuts));
    const { found, code: judged } = await assessed(type, name, wanted, answers);
    expect(judged).toBe(code);
    expect(found).toHaveLength(values.length);
  };
  await fc.assert(
    fc.asyncProperty(
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

function answer(type: ExpectedRecord['type'], name: string, value: string, cuts: readonly number[]): Answer {
  if (type === 'MX') {
    const [preference = '', exchange = ''] = value.split(' ');
    return { type, name, data: { preference: Number(preference), exchange } };
  }
  if (type !== 'TXT') return { type, name, data: value };
  const at = [0, ...cuts.toSorted((one, other) => one - other), value.length];
  return { type, name, data: at.slice(1).map((end, index) => value.slice(at[index], end)) };
}

test('only bytes that are the same are the same text', async () => {
  const oddities = [0x80, 0xff, 'é', String.raw`\128`, String.raw`\233`, 'k', '\u212a', '\u00a0'];
  const bytes = oddities.map((one) => (typeof one === 'number' ? Buffer.from([one]) : Buffer.from(one)));
  for (const one of bytes) {
    const escaped = Array.from(one, (byte) => `\\${String(byte).padStart(3, '0')}`).join('');
    for (const other of bytes) {
      const data = [Buffer.concat([Buffer.from('token='), other, Buffer.from('!')])];
      const answers: Answer[] = [{ type: 'TXT', name: 'example.test', ttl: 60, data }];
      const code = await codeOf('TXT', '', `"token=${escaped}!"`, answers);
      expect([one, other, code === 'MATCH']).toEqual([one, other, one.equals(other)]);
    }
  }
  const [expected] = expectations({ type: 'CNAME', name: 'k1', value: 'k1.provider.test' });
  const kelvin = { name: 'k1.example.test', type: 'CNAME', ttl: 60, value: '\u212a1.provider.test', priority: null };
  const judgement = await assessResponse(inspect(expected as ExpectedRecord), {
    ...EMPTY_RESPONSE,
    answers: [kelvin],
  });
  expect(['WRONG_TARGET', 'SPOILT_CHARACTERS']).toContain(judgement.code);
});

/** `count` MX records at the MAIL FROM name `name`, as they are listed and as they are published. */
function exchangers(name: string, count: number): { listed: ExpectedRecord[]; found: ResourceRecord[] } {
  const hosts = Array.from({ length: count }, (_, index) => ({
    value: `mx${index + 1}.provider.test`,
    priority: (index + 1) * 10,
  }));
  const dns = hosts.map(({ value, priority }) => ({ type: 'MX', name, value: `${priority} ${value}`, is_valid: null }));
  const listed = parseExpectedRecords({ name: 'example.test', mail_from_domain: name, dns }) as ExpectedRecord[];
  return { listed, found: hosts.map((host) => ({ name, type: 'MX', ttl: 60, ...host })) };
}

// Each row: the judgement, the MAIL FROM name, the number of listed records, and which of them are published.
test.each<[{ code: string; facts: object }, name: string, count: number, published: [from: number, to?: number]]>([
  // SPF allows 10 for "mx" (RFC 7208, section 4.6.4).
  [{ code: 'MATCH', facts: {} }, 'bounce.example.test', 10, [0]],
  [{ code: 'MX_TOO_MANY', facts: { count: 11 } }, 'bounce.example.test', 11, [0]],
  [{ code: 'MX_ONE_MISSING', facts: {} }, 'bounce.example.test', 2, [1]],
  // All mail to the domain goes to it.
  [{ code: 'MX_AT_DOMAIN_ALONE', facts: {} }, 'example.test', 1, [0]],
  [{ code: 'MATCH', facts: {} }, 'bounce.example.test', 1, [0]],
])('%j at %s, where %i are listed', async (judgement, name, count, published) => {
  const { listed, found } = exchangers(name, count);
  const [first] = listed;
  const answers = found.slice(...published);
  expect(await assessResponse(inspect(first as ExpectedRecord), { ...EMPTY_RESPONSE, answers })).toMatchObject(
    judgement,
  );
});

test('several expected records at one name are not too many', async () => {
  const listed = exchangers('example.test', 2).listed;
  const { found } = exchangers('example.test', 3);
  expect(listed).toHaveLength(2);
  for (const one of listed) {
    const both = await assessResponse(inspect(one), { ...EMPTY_RESPONSE, answers: found.slice(0, 2) });
    expect(both).toMatchObject({ code: 'MATCH', facts: {} });
    const all = await assessResponse(inspect(one), { ...EMPTY_RESPONSE, answers: found });
    // At the domain itself the other one is that of its own mailboxes.
    expect(all).toMatchObject({ code: 'MX_WOULD_TAKE_MAIL', facts: { others: ['mx3.provider.test'] } });
  }
});
