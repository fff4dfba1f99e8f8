import { type Answer, decode, encode, type Packet as Encoded, TRUNCATED_RESPONSE } from 'dns-packet';
import { Packet, type Resource } from 'dns2';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { canonicalAddress } from './addresses.ts';
import { type ResourceRecord, decodeResponse, encodeQuery, type Query } from './message.ts';

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

/** As dns-packet encodes answers, and as dns2 does, with compressed names, as most servers do. */
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
  ...['h', 'x.y'].map((host) => {
    const at = `${host}.${name}`;
    const compressed = Packet.parse(encodeQuery(ID, QUESTION, true));
    compressed.header.qr = 1;
    compressed.answers.push(
      { name, type: Packet.TYPE.CNAME, class: 1, ttl: 60, domain: at } as unknown as Resource,
      {
        name: at,
        type: Packet.TYPE.MX,
        class: 1,
        ttl: 60,
        exchange: name,
        priority: 5,
      } as unknown as Resource,
      {
        name: at,
        type: Packet.TYPE.TXT,
        class: 1,
        ttl: 60,
        data: ['a'.repeat(200), 'é'],
      } as unknown as Resource,
      { name: at, type: Packet.TYPE.A, class: 1, ttl: 60, address: '192.0.2.7' } as unknown as Resource,
    );
    return compressed.toBuffer();
  }),
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

const KNOWN: Readonly<Record<number, string>> = { 1: 'A', 2: 'NS', 5: 'CNAME', 15: 'MX', 16: 'TXT', 28: 'AAAA' };

/** The result of dns2, in the form of the engine; null when it could not read all of it. */
function secondOpinion(bytes: Buffer): ResourceRecord[] | null {
  const { answers, errors, header } = Packet.parse(bytes);
  if (errors.length > 0 || answers.length !== header.ancount) return null;
  return answers
    .filter((answer) => (answer.class & 0x7fff) === 1 && KNOWN[answer.type] !== undefined)
    .map((answer) => {
      const type = KNOWN[answer.type] ?? '';
      const {
        address = '',
        ns = '',
        domain = '',
        exchange = '',
        priority,
        data,
      } = answer as unknown as Record<string, string> & {
        priority?: number;
        data?: string[];
      };
      const value = type === 'TXT' ? (data ?? []).join('') : bytesOf(ns || domain || exchange).toString();
      return {
        type,
        name: bytesOf(answer.name).toString(),
        ttl: answer.ttl,
        value: type === 'A' || type === 'AAAA' ? canonicalAddress(address) : value,
        priority: type === 'MX' ? (priority ?? null) : null,
      };
    });
}

const bytesOf = (text: string) => Buffer.from(text, 'latin1');

const ascii = (text: string) => text.replaceAll(/[^\0-\x7f]+/g, '?').toLowerCase();

/**
 * Known differences: dns2 decodes bytes of names one by one, and strings of a text one by one, so that a character in
 * two of them is lost. It reads a TTL above 31 bits as the highest valid one, which the engine rejects (RFC 2181,
 * section 8). Only the engine folds names.
 */
function alike(data: ResourceRecord): unknown {
  const { type, ttl, priority } = data;
  return { type, name: ascii(data.name), ttl: ttl < 0x7fff_ffff ? ttl : 0, value: ascii(data.value), priority };
}

test('no packet crashes or swells the reader, and where a second one can read it, both read the same', () => {
  let compared = 0;
  fc.assert(
    fc.property(anyPacket, (drawn) => {
      const bytes = Array.isArray(drawn) ? mutated(...drawn) : Buffer.from(drawn);
      const message = decodeResponse(bytes, ID, QUESTION);
      if (message === null) return;
      const size = [...message.answers, ...message.glue].reduce(
        (sum, one) => sum + one.name.length + one.value.length,
        0,
      );
      // The shortest record takes 12 bytes, and the names at both of its ends can have 254.
      expect(size).toBeLessThanOrEqual(Math.ceil(bytes.length / 12) * 2 * 254);
      const second = secondOpinion(bytes);
      if (second === null) return;
      compared++;
      const first = message.answers.filter(({ type }) => Object.values(KNOWN).includes(type));
      expect(first.map(alike)).toEqual(second.map(alike));
    }),
    { numRuns: 5000 * ROUNDS },
  );
  expect(compared).toBeGreaterThan(1000);
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

function read(bytes: Uint8Array): string | undefined {
  return decodeResponse(packet({ answers: [txt(Buffer.from(bytes))] }), ID, QUESTION)?.answers[0]?.value;
}

test('texts of different bytes are different, whether or not the bytes are text', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.constantFrom('\\128', 'é', '\ufffd', '\ufeff').map((text) => new Uint8Array(Buffer.from(text))),
    fc.constantFrom([0x80], [0x81], [0xc3], [0xed, 0xb2, 0x80], [0xff]).map((some) => Uint8Array.from(some)),
  );
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      expect(read(one) === read(other)).toBe(Buffer.compare(one, other) === 0);
    }),
    { numRuns: 500 * ROUNDS },
  );
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
