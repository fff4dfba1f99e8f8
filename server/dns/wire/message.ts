import {
  type Answer,
  AUTHENTIC_DATA,
  CHECKING_DISABLED,
  decode,
  type DecodedPacket,
  encode,
  type RecordType as KnownType,
  RECURSION_DESIRED,
  type SoaAnswer,
} from 'dns-packet';
import { decodeTxtBytes, STRING_MAX } from '#contract/values/characterStrings.ts';
import { canonicalAddress } from './addresses.ts';
import { readEscapedNames } from './escapedNames.ts';
import { foldName } from './names.ts';

/** The codec knows the type SPF (99) by name; its type declarations do not. */
export type RecordType = KnownType | 'SPF';

export type Query = {
  name: string;
  type: RecordType;
  /** Recursion desired: for resolvers, not for authoritative servers. */
  isRecursive: boolean;
  /** Checking disabled: a validating resolver returns the records although DNSSEC is broken. */
  isUnchecked?: boolean;
  /** Uses TCP only, because a response over UDP can be forged. */
  isTcp?: boolean;
};

export type ResourceRecord = {
  name: string;
  type: string;
  ttl: number;
  /** A name as sent, without the final dot; an address; or the joined strings of a TXT. Empty for others. */
  value: string;
  priority: number | null;
  /** Bytes of each string of a TXT, unless it's cut every 255 bytes. */
  strings?: readonly number[];
};

/** The value as it is entered: "10 mx.example.net" for an MX. */
export function formatData({ value, priority }: Pick<ResourceRecord, 'value' | 'priority'>): string {
  return priority === null ? value : `${priority} ${value || '.'}`;
}

export type SoaAuthority = {
  zone: string;
  primary: string;
  /** The mail address as a name. */
  contact: string;
  serial: number;
  /** Seconds that "there is nothing" is remembered. */ ttl: number;
};

export type DnsResponse = {
  rcode: string;
  isAuthoritative: boolean;
  isValidated?: boolean;
  isTruncated: boolean;
  /** The response has more records than are read. */
  hasTooMany?: boolean;
  answers: ResourceRecord[];
  /** Name servers of a referral; only in a response that is nothing else. */
  referral: { zone: string; servers: string[]; ttl: number } | null;
  glue: ResourceRecord[];
  authority: SoaAuthority | null;
  /** Extended DNS error (RFC 8914). */
  reason: string | null;
  /** The server, or a firewall, drops queries with EDNS (RFC 6891), and responds to those without. */
  isWithoutEdns?: boolean;
};

/** UDP responses above this size get lost in some networks (https://www.dnsflagday.net/2020/). */
const UDP_SIZE = 1232;

/** Records of a section. A run keeps all responses, and compressed names can expand 64 kB to megabytes. */
const RECORDS_MAX = 500;

const RECORDS_IN_ALL_MAX = 1000;
/** Strings of all texts together: 64 kB of full ones have 257. Empty ones, which take a byte each, take long to compare. */
const STRINGS_MAX = 1000;
const HEADER_SIZE = 12;

export const EMPTY_RESPONSE: DnsResponse = {
  rcode: 'NOERROR',
  isAuthoritative: true,
  isTruncated: false,
  answers: [],
  referral: null,
  glue: [],
  authority: null,
  reason: null,
};
const TOO_MANY_RECORDS: DnsResponse = { ...EMPTY_RESPONSE, isAuthoritative: false, hasTooMany: true };

/**
 * Encodes a query. `withoutEdns` is for servers that do not understand EDNS (RFC 6891), or never get queries with it.
 */
export function encodeQuery(id: number, { name, type, isRecursive, isUnchecked }: Query, withoutEdns = false): Buffer {
  const size: Answer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_SIZE,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  return encode({
    type: 'query',
    id,
    flags: (isRecursive ? RECURSION_DESIRED : 0) | AUTHENTIC_DATA | (isUnchecked ? CHECKING_DISABLED : 0),
    questions: [{ type: type as KnownType, name: name === '' ? '.' : name, class: 'IN' }],
    additionals: withoutEdns ? [] : [size],
  });
}

/** Decodes the response to `query` with this ID; null when the packet is malformed or belongs to another query. */
export function decodeResponse(packet: Buffer, id: number, query: Query): DnsResponse | null {
  // Checked first, because decoding a packet with many pointers takes long.
  if (!isResponseTo(packet, encodeQuery(id, query, true))) return null;
  if (countRecords(packet) > RECORDS_IN_ALL_MAX) return TOO_MANY_RECORDS;
  let decoded: DecodedPacket & { rcode?: string };
  try {
    decoded = decode(packet);
  } catch {
    return null;
  }
  // dns-packet reads beyond the packet when the length of a record does, and then counts to NaN.
  if (!(decode.bytes <= packet.length)) return null;
  const [answered, authorities, additionals] = [decoded.answers, decoded.authorities, decoded.additionals].map(
    (section = []) => section.slice(0, RECORDS_MAX),
  ) as [Answer[], Answer[], Answer[]];
  if (countStrings([...answered, ...authorities, ...additionals]) > STRINGS_MAX) return TOO_MANY_RECORDS;
  const dotted = readEscapedNames(packet);
  const unique = new Map<string, ResourceRecord>();
  for (const [index, answer] of answered.entries()) {
    for (const data of toResourceRecords(answer)) {
      const record = { ...data, value: dotted.get(index) ?? data.value };
      const identity = identityOf(record, answer);
      if (!unique.has(identity)) unique.set(identity, record);
    }
  }
  const answers = [...unique.values()];
  const soa = [...answered, ...authorities].find((answer) => answer.type === 'SOA');
  return {
    rcode: readResponseCode(packet, decoded.rcode, additionals),
    isAuthoritative: decoded.flag_aa,
    isValidated: decoded.flag_ad,
    isTruncated: decoded.flag_tc,
    hasTooMany: (decoded.answers?.length ?? 0) > RECORDS_MAX,
    answers,
    referral: soa === undefined && answers.length === 0 && !decoded.flag_aa ? findReferral(authorities) : null,
    glue: additionals.flatMap(toResourceRecords),
    authority: soa?.type === 'SOA' ? toSoaAuthority(soa) : null,
    reason: readExtendedError(additionals),
  };
}

/** Whether a packet is a response with the ID and the question of `query`, in any letter case. */
function isResponseTo(packet: Buffer, query: Buffer): boolean {
  if (packet.length < query.length || packet.readUInt16BE(0) !== query.readUInt16BE(0)) return false;
  const isResponse = ((packet[2] ?? 0) & 0x80) !== 0;
  if (!isResponse || packet.readUInt16BE(4) !== 1) return false;
  // Lengths of labels are below the codes of letters, so lower-casing does not change them.
  const folded = (bytes: Buffer) => bytes.subarray(HEADER_SIZE, query.length).toString('latin1').toLowerCase();
  return folded(packet) === folded(query);
}

function countRecords(packet: Buffer): number {
  return packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
}

function countStrings(records: readonly Answer[]): number {
  return records.reduce((sum, one) => sum + (one.type === 'TXT' && Array.isArray(one.data) ? one.data.length : 0), 0);
}

/** Values of more than 31 bits are not valid (RFC 2181, section 8). */
function ttlOf(ttl: number): number {
  return ttl > 0x7f_ff_ff_ff ? 0 : ttl;
}

function toSoaAuthority({ name, ttl = 0, data }: SoaAnswer): SoaAuthority {
  const { mname, rname, serial = 0, minimum = 0 } = data;
  return {
    zone: zoneName(name),
    primary: foldName(mname),
    contact: foldName(rname),
    serial,
    ttl: ttlOf(Math.min(ttl, minimum)),
  };
}

function zoneName(name: string): string {
  return name === '.' ? '' : foldName(name);
}

function findReferral(authorities: readonly Answer[]): DnsResponse['referral'] {
  const servers = authorities.flatMap(toResourceRecords).filter(({ type }) => type === 'NS');
  const [first] = servers;
  return first === undefined
    ? null
    : { zone: first.name, servers: servers.map(({ value }) => foldName(value)), ttl: first.ttl };
}

function toResourceRecords(answer: Answer): ResourceRecord[] {
  if (answer.type === 'OPT' || answer.class !== 'IN') return [];
  const { type } = answer;
  const data = { name: zoneName(answer.name), type, ttl: ttlOf(answer.ttl ?? 0), value: '', priority: null };
  if (type === 'CNAME' || type === 'NS' || type === 'PTR') return [{ ...data, value: withoutRoot(answer.data) }];
  if (type === 'A' || type === 'AAAA') return [{ ...data, value: canonicalAddress(answer.data) }];
  if (type === 'MX') {
    return [{ ...data, value: withoutRoot(answer.data.exchange), priority: answer.data.preference ?? 0 }];
  }
  if ((type as RecordType) === 'SPF') return [{ ...data, value: decodeTxtBytes(stringsIn(answer.data as Buffer)) }];
  if (type === 'DS') {
    const { keyTag, algorithm, digestType, digest } = answer.data;
    return [{ ...data, value: `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex').toUpperCase()}` }];
  }
  if (type === 'SOA') {
    const { mname, rname, serial, refresh, retry, expire, minimum } = answer.data;
    return [{ ...data, value: [mname, rname, serial, refresh, retry, expire, minimum].join(' ') }];
  }
  if (type === 'TLSA') {
    const { usage, selector, matchingType, certificate } = answer.data;
    return [{ ...data, value: `${usage} ${selector} ${matchingType} ${certificate.toString('hex')}` }];
  }
  if (type !== 'TXT') return [data];
  const strings = [answer.data].flat().map((string) => Buffer.from(string));
  const sizes = strings.map(({ length }) => length);
  const text = { ...data, value: decodeTxtBytes(Buffer.concat(strings)) };
  return [isUsualSplit(sizes) ? text : { ...text, strings: sizes }];
}

function isUsualSplit(sizes: readonly number[]): boolean {
  return sizes.length <= 1 || (sizes.at(-1) !== 0 && sizes.slice(0, -1).every((size) => size === STRING_MAX));
}

const NAMED = new Set(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR']);

/** Equal for records with the same data, of which a set has one only (RFC 2181, section 5). */
function identityOf({ name, type, value, priority }: ResourceRecord, answer: Answer): string {
  // A text that is split in another way is another record.
  const data = answer.type === 'OPT' || NAMED.has(type) ? foldName(value) : answer.data;
  return JSON.stringify([name, type, priority, data]);
}

/**
 * Decodes the strings of a record that the codec does not decode: SPF has the format of TXT (RFC 4408, section 3.1.1).
 */
function stringsIn(wire: Buffer): Buffer {
  const strings: Buffer[] = [];
  for (let at = 0; at < wire.length; at += 1 + (wire[at] ?? 0))
    strings.push(wire.subarray(at + 1, at + 1 + (wire[at] ?? 0)));
  return Buffer.concat(strings);
}

function withoutRoot(name: string): string {
  return name.replace(/\.$/, '');
}

const BADVERS = 16;

/** The response code by its name. EDNS has its upper eight bits in the OPT record (RFC 6891, section 6.1.3). */
function readResponseCode(packet: Buffer, name = 'NOERROR', additionals: readonly Answer[]): string {
  const upper = additionals.find((record) => record.type === 'OPT')?.extendedRcode ?? 0;
  if (upper === 0) return name;
  const code = (upper << 4) | ((packet[3] ?? 0) & 0x0f);
  return code === BADVERS ? 'BADVERS' : `RCODE${code}`;
}

const EXTENDED_ERROR = 15;

function readExtendedError(additionals: readonly Answer[]): string | null {
  for (const record of additionals) {
    const option =
      record.type === 'OPT' ? record.options.find(({ code }) => (code as number) === EXTENDED_ERROR) : undefined;
    if (option?.data === undefined || option.data.length < 2) continue;
    const text = option.data.subarray(2).toString();
    return `extended error ${option.data.readUInt16BE(0)}${text === '' ? '' : `: ${text}`}`;
  }
  return null;
}
