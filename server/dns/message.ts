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
import { decodeTxtBytes } from '#contract/characterStrings.ts';
import { canonicalAddress } from './canonicalAddress.ts';
import { readEscapedNames } from './escapedNames.ts';
import { foldName } from './names.ts';

/** The codec knows the type SPF (99) by name; its type declarations do not. */
export type RecordType = KnownType | 'SPF';

export type Query = {
  name: string;
  type: RecordType;
  /** Asks for recursion: a resolver wants it, an authority must not need it. */
  isRecursive: boolean;
  /** Takes what a validating resolver would refuse because of DNSSEC. */
  isUnchecked?: boolean;
  /** Does not even try UDP, whose answers can be forged. */
  isTcp?: boolean;
};

/** A record of an answer; the name is folded. */
export type ResourceRecord = {
  name: string;
  type: string;
  /** Seconds. */
  ttl: number;
  /** A name without its final dot as it was sent, an address, or the joined strings of a TXT record; else empty. */
  value: string;
  /** Of an MX. */
  priority: number | null;
};

/** Who is in charge of a name, from an SOA record. */
export type SoaAuthority = {
  zone: string;
  /** The server that says to be the first to have changes. */
  primary: string;
  serial: number;
  /** Seconds that "there is nothing" is remembered. */ ttl: number;
};

export type DnsResponse = {
  rcode: string;
  isAuthoritative: boolean;
  /** There is more than this: the rest did not fit. */
  isTruncated: boolean;
  /** There are more records than anybody has. */
  hasTooMany?: boolean;
  answers: ResourceRecord[];
  /** Name servers a delegation points to; only in an answer that is nothing else. */
  referral: { zone: string; servers: string[] } | null;
  /** Addresses that came along. */
  glue: ResourceRecord[];
  authority: SoaAuthority | null;
  /** What the server adds to an error (RFC 8914). */
  reason: string | null;
  /** The server, or something before it, drops queries with EDNS (RFC 6891) and answers those without. */
  isWithoutEdns?: boolean;
};

/** Above this size UDP answers get lost on many ways (https://www.dnsflagday.net/2020/). */
const UDP_SIZE = 1232;

/** In each section. All answers of a run are kept, and compressed names grow: 64 kB on the wire can be megabytes. */
const RECORDS_MAX = 500;

/** In all sections together. */
const RECORDS_IN_ALL_MAX = 1000;
const HEADER_SIZE = 12;

const TOO_MANY_RECORDS: DnsResponse = {
  rcode: 'NOERROR',
  isAuthoritative: false,
  isTruncated: false,
  hasTooMany: true,
  answers: [],
  referral: null,
  glue: [],
  authority: null,
  reason: null,
};

/** `withoutEdns` is for servers that cannot read EDNS (RFC 6891), or never see queries that have it. */
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

/** The answer to `query` with this id in `packet`; null when the packet is broken or answers something else. */
export function decodeResponse(packet: Buffer, id: number, query: Query): DnsResponse | null {
  // Before anything is decoded, which takes time where pointers lead to pointers.
  if (!isResponseTo(packet, encodeQuery(id, query, true))) return null;
  if (countRecords(packet) > RECORDS_IN_ALL_MAX) return TOO_MANY_RECORDS;
  let decoded: DecodedPacket & { rcode?: string };
  try {
    decoded = decode(packet);
  } catch {
    return null;
  }
  // dns-packet reads on where the length of a record runs past the end of the packet, and then counts to NaN.
  if (!(decode.bytes <= packet.length)) return null;
  const [answered, authorities, additionals] = [decoded.answers, decoded.authorities, decoded.additionals].map(
    (section = []) => section.slice(0, RECORDS_MAX),
  ) as [Answer[], Answer[], Answer[]];
  const dotted = readEscapedNames(packet);
  const answers = answered.flatMap((answer, index) =>
    toResourceRecords(answer).map((data) => ({ ...data, value: dotted.get(index) ?? data.value })),
  );
  const soa = [...answered, ...authorities].find((answer) => answer.type === 'SOA');
  return {
    rcode: decoded.rcode ?? 'NOERROR',
    isAuthoritative: decoded.flag_aa,
    isTruncated: decoded.flag_tc,
    hasTooMany: answered.length === RECORDS_MAX,
    answers,
    referral: soa === undefined && answers.length === 0 && !decoded.flag_aa ? findReferral(authorities) : null,
    glue: additionals.flatMap(toResourceRecords),
    authority: soa?.type === 'SOA' ? toSoaAuthority(soa) : null,
    reason: readExtendedError(additionals),
  };
}

/** Whether a packet has the id and the one question of `query`, in whatever letter case, and says to be a response. */
function isResponseTo(packet: Buffer, query: Buffer): boolean {
  if (packet.length < query.length || packet.readUInt16BE(0) !== query.readUInt16BE(0)) return false;
  const isResponse = ((packet[2] ?? 0) & 0x80) !== 0;
  if (!isResponse || packet.readUInt16BE(4) !== 1) return false;
  // No length of a label is a letter.
  const folded = (bytes: Buffer) => bytes.subarray(HEADER_SIZE, query.length).toString('latin1').toLowerCase();
  return folded(packet) === folded(query);
}

function countRecords(packet: Buffer): number {
  return packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
}

/** What is beyond 31 bits is no time (RFC 2181, section 8). */
function ttlOf(ttl: number): number {
  return ttl > 0x7f_ff_ff_ff ? 0 : ttl;
}

function toSoaAuthority({ name, ttl = 0, data }: SoaAnswer): SoaAuthority {
  const { mname, serial = 0, minimum = 0 } = data;
  return { zone: zoneName(name), primary: foldName(mname), serial, ttl: ttlOf(Math.min(ttl, minimum)) };
}

function zoneName(name: string): string {
  return name === '.' ? '' : foldName(name);
}

function findReferral(authorities: readonly Answer[]): DnsResponse['referral'] {
  const servers = authorities.flatMap(toResourceRecords).filter(({ type }) => type === 'NS');
  const [first] = servers;
  return first === undefined ? null : { zone: first.name, servers: servers.map(({ value }) => foldName(value)) };
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
  if (type !== 'TXT') return [data];
  const strings = Array.isArray(answer.data) ? answer.data : [answer.data];
  return [{ ...data, value: decodeTxtBytes(Buffer.concat(strings.map((string) => Buffer.from(string)))) }];
}

/** The strings of a record whose type the codec leaves as it is on the wire: SPF has the form of TXT (RFC 4408, section 3.1.1). */
function stringsIn(wire: Buffer): Buffer {
  const strings: Buffer[] = [];
  for (let at = 0; at < wire.length; at += 1 + (wire[at] ?? 0))
    strings.push(wire.subarray(at + 1, at + 1 + (wire[at] ?? 0)));
  return Buffer.concat(strings);
}

function withoutRoot(name: string): string {
  return name.replace(/\.$/, '');
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
