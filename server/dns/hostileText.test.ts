import { type Answer, CHECKING_DISABLED } from 'dns-packet';
import { expect, test } from 'vitest';
import { Finding } from '#contract/domains/dnsCheck.ts';
import { checkWholeDomain } from './checkDomain.ts';
import { RCODES, addZone, NS1, NS2, RESOLVER } from '../testing/testDns.ts';
import { KEY, onFault, createTestProvider } from '../testing/testZone.ts';

// Whatever is published, the texts of a finding are well-formed and bounded.

const dns = createTestProvider();

const STEERING = '\u001B[31m\u0000\r\n::error::\u202Eevil\u2066<script>\u200B';
const NO_TEXT = Buffer.from([0x80, 0xff, 0xc3, 0xed, 0xa0, 0x80, 0xf0, 0x9f]);
const SPF = 'v=spf1 include:spf.provider.test ~all';

/** A text of the maximum length of an answer, of characters that any byte limit would split. */
const endless = (start: string) => Buffer.from(start.padEnd(20_500, '\u{1f600}€'));

const TEXTS: readonly (string | Buffer)[] = [
  STEERING,
  NO_TEXT,
  endless(''),
  ...[
    'v=spf1 ',
    'v=spf1 include:',
    'v=DMARC1; p=',
    'v=DMARC1; rua=mailto:a@',
    'v=DKIM1; p=',
    'v=DKIM1; h=',
    'v=spf1 ip4:192.0.2.1 ',
  ].flatMap((start) => [start + STEERING, Buffer.concat([Buffer.from(start), NO_TEXT]), endless(start)]),
];

const RECORDS = [
  { type: 'TXT', name: 'bounce', value: SPF },
  { type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=none' },
  { type: 'TXT', name: 's._domainkey', value: KEY },
  { type: 'TXT', name: '@', value: 'token=1' },
  { type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.provider.test' },
  // Leads to an arbitrary key.
  { type: 'CNAME', name: 'k2._domainkey', value: 's._domainkey.@' },
  { type: 'MX', name: 'bounce', value: '10 feedback.provider.test' },
].map((record) => ({ ...record, is_valid: null }));

let count = 0;
/** Findings about a domain with these texts at each of its names; nothing is listed if it is for advice. */
async function findings(
  texts: readonly (string | Buffer)[],
  records = RECORDS,
  more: Answer[] = [],
): Promise<Finding[]> {
  const name = `h${count++}.test`;
  const at = ['bounce', '_dmarc', 's._domainkey'].map((host) => `${host}.${name}`);
  const strings = texts.map((text) => {
    const bytes = Buffer.from(text as string);
    return Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) =>
      bytes.subarray(index * 255, index * 255 + 255),
    );
  });
  const published = [name, ...at].flatMap((owner) =>
    strings.map((data): Answer => ({ type: 'TXT', name: owner, data })),
  );
  const alias: Answer = { type: 'CNAME', name: `k2._domainkey.${name}`, data: `s._domainkey.${name}` };
  addZone(dns, name, [...published, alias, ...more.map((record) => ({ ...record, name: `${record.name}.${name}` }))]);
  const listed = records.map((record) => ({ ...record, value: record.value.replace('.@', `.${name}`) }));
  const domain = { name, mail_from_domain: `bounce.${name}`, dns: listed };
  const { records: checks, advice } = await checkWholeDomain(dns.dnsClient(), domain, { onError: onFault });
  return [...checks, ...advice].map(({ finding }) => finding);
}

function faultsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const faults = value.isWellFormed() ? [] : [`not well-formed: ${JSON.stringify(value.slice(0, 50))}`];
    return Buffer.byteLength(value) > 2000
      ? [...faults, `${Buffer.byteLength(value)} bytes: ${value.slice(0, 50)}`]
      : faults;
  }
  if (Array.isArray(value))
    return [...(value.length > 20 ? [`a list of ${value.length}`] : []), ...value.flatMap(faultsIn)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(faultsIn) : [];
}

test('texts that steer, that are no text, or that do not end', async () => {
  for (const text of TEXTS) {
    for (const records of [RECORDS, []]) {
      const found = await findings([text], records);
      expect(found.flatMap(faultsIn)).toEqual([]);
      for (const finding of found) expect(Finding.safeParse(finding).error).toBeUndefined();
    }
  }
});

test('many of them at one name, and hosts with such names', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `${index} v=spf1 ${STEERING.repeat(10)}`);
  const hosts = Array.from({ length: 40 }, (_, index): Answer => {
    const exchange = `${'\u202E\u001B'.repeat(10)}${index}.${'€'.repeat(20)}.test`;
    return { type: 'MX', name: 'bounce', data: { preference: index, exchange } };
  });
  const found = [
    ...(await findings(many, RECORDS, hosts)),
    ...(await findings([SPF, 'v=spf1 -all', ...many], [], hosts)),
  ];
  expect(found.flatMap(faultsIn)).toEqual([]);
  expect(found.map(({ code }) => code)).toEqual(expect.arrayContaining(['WRONG_TARGET', 'SEVERAL_MX', 'SEVERAL_SPF']));
});

test('what a server says about an error, and what a service expects', async () => {
  const data = Buffer.concat([Buffer.from([0, 6]), NO_TEXT, endless(STEERING)]);
  const additionals = [
    { type: 'OPT', name: '.', udpPayloadSize: 1232, options: [{ code: 15, data }] },
  ] as unknown as Answer[];
  dns.misbehave[NS1] = dns.misbehave[NS2] = () => ({ flags: RCODES.REFUSED, additionals });
  dns.misbehave[RESOLVER] = ({ name }, _, { flags = 0 }) =>
    name.includes('_') && (flags & CHECKING_DISABLED) === 0 ? { flags: RCODES.SERVFAIL, additionals } : undefined;
  const values = [endless('').toString(), 'token=\uDC80', STEERING].map((value) => ({
    type: 'TXT',
    name: '_x',
    value,
    is_valid: null,
  }));
  const broken = { type: 'A', name: '@', value: `${endless('').toString()}\uD800`, is_valid: null };
  const found = await findings(['x'], [...RECORDS, ...values, broken]);
  expect(found.flatMap(faultsIn)).toEqual([]);
  expect(found.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['DNSSEC_BOGUS', 'VALUE_UNREADABLE', 'NOT_ASKED']),
  );
});
