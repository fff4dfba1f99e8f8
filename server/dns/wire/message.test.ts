import { type Answer, decode, encode, type Packet as Encoded, TRUNCATED_RESPONSE } from 'dns-packet';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { decodeResponse, encodeQuery, type Query } from './message.ts';

// FUZZ_ROUNDS=100 npx vitest run server/dns/message.test.ts tests a hundred times as many packets.
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 1);

vi.setConfig({ testTimeout: 10_000 * ROUNDS });

const ID = 0x1234;
const QUESTION: Query = { name: 'k1._domainkey.example.test', type: 'TXT', isRecursive: true };
const { name } = QUESTION;
const txt = (...data: (string | Buffer)[]): Answer => ({ type: 'TXT', name, ttl: 60, data });
const soa: Answer = {
  type: 'SOA',
  name: 'example.test',
  ttl: 300,
  data: { mname: 'a.test', rname: 'h.test', serial: 7, refresh: 1, retry: 1, expire: 1, minimum: 60 },
};
const edns = (code: number, data: Buffer) =>
  ({ type: 'OPT', name: '.', udpPayloadSize: 1232, options: [{ code, data }] }) as unknown as Answer;

function packet(content: Encoded): Buffer {
  return encode({ type: 'response', id: ID, questions: [{ type: 'TXT', name }], ...content });
}

const SEEDS = [
  packet({ answers: [txt('v=DKIM1; ', 'p=abc'), txt('')] }),
  packet({ answers: [{ type: 'CNAME', name, ttl: 60, data: 'k1.dkim.provider.test' }, txt('p=abc')] }),
  packet({ flags: 3, authorities: [soa], additionals: [edns(15, Buffer.from('\0\x0fby policy'))] }),
  packet({
    authorities: ['ns1', 'ns2'].map((host) => ({ type: 'NS', name: 'example.test', data: `${host}.example.test` })),
    additionals: [
      { type: 'A', name: 'ns1.example.test', data: '192.0.2.1' },
      { type: 'AAAA', name: 'ns2.example.test', data: '2001:db8::1' },
    ],
  }),
  packet({ answers: [{ type: 'MX', name, data: { preference: 10, exchange: 'mx.provider.test' } }] }),
  packet({ answers: [{ ...txt('of another class'), class: 'CH' }] as Answer[] }),
  packet({ flags: TRUNCATED_RESPONSE }),
];

// RFC 6891, section 6.1.3: the lower four bits are in the header.
test.each([
  [0, 0, 'NOERROR'],
  [0, 3, 'NXDOMAIN'],
  [1, 0, 'BADVERS'],
  [1, 7, 'RCODE23'],
])('the upper bits of the response code %i and the lower ones %i are %s', (extendedRcode, flags, rcode) => {
  const opt = { ...edns(10, Buffer.alloc(8)), extendedRcode } as Answer;
  expect(decodeResponse(packet({ flags, additionals: [opt] }), ID, QUESTION)?.rcode).toBe(rcode);
});

// RFC 1035, section 3.3.14: a text is one or several strings, of up to 255 bytes each.
test.each<[strings: string[], sizes: number[] | undefined]>([
  [['v=spf1 -all'], undefined],
  [[''], undefined],
  [['a'.repeat(255), 'b'], undefined],
  [
    ['v=spf1 ', '-all'],
    [7, 4],
  ],
  [
    ['a'.repeat(200), 'b'.repeat(100)],
    [200, 100],
  ],
  [
    ['v=spf1 -all', ''],
    [11, 0],
  ],
  [
    ['é', 'b'],
    [2, 1],
  ],
])('the strings of %j, unless they are cut as usual, have %j bytes', (strings, sizes) => {
  const [record] = decodeResponse(packet({ answers: [txt(...strings)] }), ID, QUESTION)?.answers ?? [];
  expect([record?.value, record?.strings]).toEqual([strings.join(''), sizes]);
});

type Mutation = { at: number; bytes: Uint8Array; replaces: number };

/** Parsers fail on lengths, counts, types and pointers. */
const PIECES = [
  [0],
  [0xff],
  [0xff, 0xff],
  [0xc0],
  [0xc0, 0x0c],
  [0xc0, 0x00],
  [0x3f],
  [0x40],
  [0, 16],
  [0, 15],
  [0, 41],
];

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc.constantFrom(...PIECES).map((bytes) => Uint8Array.from(bytes)),
  ),
  replaces: fc.integer({ min: 0, max: 4 }),
});

function mutated(seed: Buffer, mutations: readonly Mutation[], spare: boolean): Buffer {
  let bytes = seed;
  for (const { at, bytes: inserted, replaces } of mutations) {
    // With an unchanged header more packets are parsed up to the records.
    const first = spare ? Math.min(12 + name.length + 6, bytes.length) : 0;
    const start = first + Math.floor(at * (bytes.length - first));
    bytes = Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + replaces)]);
  }
  return bytes;
}

const anyPacket = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(fc.constantFrom(...SEEDS), fc.array(mutation, { maxLength: 4 }), fc.boolean()) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 600 }) },
);

test('no packet crashes or swells the reader', () => {
  let read = 0;
  fc.assert(
    fc.property(anyPacket, (drawn) => {
      const bytes = Array.isArray(drawn) ? mutated(...drawn) : Buffer.from(drawn);
      const message = decodeResponse(bytes, ID, QUESTION);
      if (message === null) return;
      read++;
      const texts = [...message.answers, ...message.glue].flatMap((one) => [one.name, one.value]);
      // The shortest record takes 12 bytes, and the names at both of its ends can have 254.
      expect(texts.join('').length).toBeLessThanOrEqual(Math.ceil(bytes.length / 12) * 2 * 254);
    }),
    { numRuns: 5000 * ROUNDS },
  );
  expect(read).toBeGreaterThan(1000);
});

// Most servers write a name that was there before as a pointer to it (RFC 1035, section 4.1.4).
test('a compressed name is read as the name that it points to', () => {
  const bytes = packet({ answers: [{ type: 'CNAME', name, ttl: 60, data: 'k1.test' }] });
  const at = bytes.lastIndexOf(Buffer.from([2, ...Buffer.from('k1'), 4, ...Buffer.from('test'), 0]));
  const pointing = Buffer.concat([bytes.subarray(0, at - 2), Buffer.of(0, 2, 0xc0, 12)]);
  expect(decodeResponse(pointing, ID, QUESTION)?.answers).toMatchObject([{ name, value: name }]);
});

test('a packet that ends before its last record does is no answer', () => {
  const whole = packet({ answers: [txt('v=spf1 -all')] });
  expect(decodeResponse(whole, ID, QUESTION)?.answers).toHaveLength(1);
  for (let end = 0; end < whole.length; end++) expect(decodeResponse(whole.subarray(0, end), ID, QUESTION)).toBeNull();
});

test.each([
  [500, false],
  [501, true],
  [600, true],
])('500 records are kept of an answer, which says whether there are more: %d', (count, isMore) => {
  const many = Array.from({ length: count }, (_, index) => txt(String(index)));
  const { answers, hasTooMany } = decodeResponse(packet({ answers: many }), ID, QUESTION) ?? {};
  expect({ length: answers?.length, hasTooMany }).toEqual({ length: 500, hasTooMany: isMore });
});

test.each([
  [1000, 1, false],
  [1001, 1, true],
  [65_000, 1, true],
  [50, 100, true],
])('%i empty strings in each of %i texts are more than are read: %j', (strings, texts, isMore) => {
  const text = txt(...Array.from({ length: strings }, () => Buffer.alloc(0)));
  const answers = Array.from({ length: texts }, () => text);
  expect(decodeResponse(packet({ answers }), ID, QUESTION)?.hasTooMany).toBe(isMore);
});

test('only an answer with the id, the name and the type of the question is one', () => {
  const answer = encode({ type: 'response', id: 7, questions: [{ type: 'TXT', name: 'K1._domainkey.example.test' }] });
  expect(decodeResponse(answer, 7, QUESTION)).not.toBeNull();
  expect(decodeResponse(answer, 8, QUESTION)).toBeNull();
  expect(decodeResponse(answer, 7, { ...QUESTION, type: 'MX' })).toBeNull();
  expect(decodeResponse(answer, 7, { ...QUESTION, name: 'example.test' })).toBeNull();
  expect(decodeResponse(encodeQuery(7, QUESTION), 7, QUESTION)).toBeNull();
});

test('a question asks for what can be checked and nothing else', () => {
  const asked = decode(encodeQuery(258, { ...QUESTION, isRecursive: true, isUnchecked: true }));
  expect(asked).toMatchObject({ id: 258, flag_qr: false, flag_rd: true, flag_cd: true, flag_ad: true });
  expect(decode(encodeQuery(0, { ...QUESTION, isRecursive: false }))).toMatchObject({
    flag_rd: false,
    flag_cd: false,
  });
});
