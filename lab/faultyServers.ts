import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, AUTHORITATIVE_ANSWER, decode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import { AUTHORITIES, FAULTY, type FaultyServer, PARKING } from './addresses.ts';
import { type QueryHandler, type ReceivedQuery, forward, listen, reply, type TcpBehaviour } from './wire.ts';
import { isBelow } from './zoneFile.ts';

// Name servers with behaviour that no zone file can express. They forward queries to the server that has the zones, and
// change the answers.

export const RCODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };
const UDP_BYTES_WITHOUT_EDNS = 512;
const SLOW_MS = 1500;
const VERY_SLOW_MS = 3500;
const TTL = 300;
const SOA_TIMES = { serial: 1, refresh: 3600, retry: 600, expire: 86_400, minimum: TTL };

const behind = AUTHORITIES.behind['behind.badhost.net'];

/** Returns the unchanged answer, over the transport of the query. */
const forwardToWorkingServer = ({ bytes, isTcp }: ReceivedQuery) => forward(bytes, behind, isTcp);

/** Another answer, derived from the right one. */
const createAlteringHandler =
  (change: (answer: Packet, asked: ReceivedQuery) => Packet): QueryHandler =>
  async (asked) => {
    const right = decode(await forwardToWorkingServer(asked));
    const spoilt = change(right, asked);
    // Unchanged answers keep their bytes.
    return spoilt === right ? forwardToWorkingServer(asked) : reply(asked, { flags: right.flags, ...spoilt });
  };
export const createErrorHandler =
  (flags: number): QueryHandler =>
  (asked) =>
    reply(asked, { flags });
const createDelayHandler =
  (milliseconds: number): QueryHandler =>
  async (asked) => {
    await delay(milliseconds);
    return forwardToWorkingServer(asked);
  };
const truncated: QueryHandler = (asked) =>
  asked.isTcp ? forwardToWorkingServer(asked) : reply(asked, { flags: AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE });

const createByteAlteringHandler =
  (change: (bytes: Buffer) => void): QueryHandler =>
  async (asked) => {
    const bytes = Buffer.from(await forwardToWorkingServer(asked));
    change(bytes);
    return bytes;
  };

const isEmpty = ({ answers = [] }: Packet) => answers.length === 0;
const isRecord = ({ question }: ReceivedQuery) => /^(k1|bounce)\b/.test(question.name);
const hasOption = ({ query }: ReceivedQuery) => (query.additionals ?? []).some(({ type }) => type === 'OPT');
const createOtherCname = ({ question }: ReceivedQuery): Answer => ({
  type: 'CNAME',
  name: question.name,
  ttl: TTL,
  data: 'else.otherhost.net',
});
/** Without the SOA, which has the TTL of a negative answer. */
const createEmptyHandler = (rcode: number): QueryHandler =>
  createAlteringHandler((answer, asked) =>
    isRecord(asked) && isEmpty(answer) ? { flags: AUTHORITATIVE_ANSWER | rcode } : answer,
  );

const forged = new Set<string>();

export type FaultyBehaviour = { answer: QueryHandler; tcp?: TcpBehaviour };

const faults: Record<Exclude<FaultyServer, 'closed'>, FaultyBehaviour> = {
  slow: { answer: createDelayHandler(SLOW_MS) },
  veryslow: { answer: createDelayHandler(VERY_SLOW_MS) },
  silent: { answer: () => null },
  refused: { answer: createErrorHandler(RCODES.REFUSED) },
  servfail: { answer: createErrorHandler(RCODES.SERVFAIL) },
  notimp: { answer: createErrorHandler(RCODES.NOTIMP) },
  formerr: { answer: createErrorHandler(RCODES.FORMERR) },
  'no-tcp': {
    tcp: 'refused',
    answer: async (asked) => {
      const whole = await forward(asked.bytes, behind, true);
      return whole.length > UDP_BYTES_WITHOUT_EDNS
        ? reply(asked, { flags: AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE })
        : whole;
    },
  },
  truncating: { tcp: 'refused', answer: truncated },
  'no-edns': { answer: (asked) => (hasOption(asked) ? null : forwardToWorkingServer(asked)) },
  old: {
    answer: (asked) => (hasOption(asked) ? reply(asked, { flags: RCODES.FORMERR }) : forwardToWorkingServer(asked)),
  },
  upward: {
    answer: (asked) => reply(asked, { authorities: [{ type: 'NS', name: '.', ttl: TTL, data: 'a.root-servers.net' }] }),
  },
  garbage: { answer: () => Buffer.from('hello') },
  'wrong-id': {
    answer: createByteAlteringHandler((bytes) => bytes.writeUInt16BE((bytes.readUInt16BE(0) + 1) & 0xffff, 0)),
  },
  'wrong-question': {
    answer: createAlteringHandler((answer) => ({
      ...answer,
      questions: [{ type: 'A', class: 'IN', name: 'else.otherhost.net' }],
    })),
  },
  nxdomain: {
    answer: (asked) =>
      asked.question.type === 'SOA' || asked.question.type === 'NS'
        ? forwardToWorkingServer(asked)
        : reply(asked, { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN }),
  },
  empty: { answer: (asked) => reply(asked, { flags: AUTHORITATIVE_ANSWER }) },
  'not-authoritative': {
    answer: createByteAlteringHandler((bytes) => bytes.writeUInt16BE(bytes.readUInt16BE(2) & ~AUTHORITATIVE_ANSWER, 2)),
  },
  'two-cnames': {
    answer: createAlteringHandler((answer, asked) =>
      answer.answers?.[0]?.type === 'CNAME' && asked.question.name.startsWith('k1.')
        ? { ...answer, answers: [...answer.answers, createOtherCname(asked)] }
        : answer,
    ),
  },
  'cname-beside': {
    answer: createAlteringHandler((answer, asked) =>
      isRecord(asked) && (asked.question.type === 'MX' || asked.question.type === 'TXT')
        ? { ...answer, answers: [createOtherCname(asked), ...(answer.answers ?? [])] }
        : answer,
    ),
  },
  'cname-on-demand': {
    answer: createAlteringHandler((answer, asked) =>
      isRecord(asked) && asked.question.type === 'CNAME'
        ? { flags: AUTHORITATIVE_ANSWER, answers: [createOtherCname(asked)] }
        : answer,
    ),
  },
  'text-beside': {
    answer: createAlteringHandler((answer, asked) =>
      isRecord(asked) && asked.question.type === 'TXT'
        ? { flags: AUTHORITATIVE_ANSWER, answers: [{ ...createOtherCname(asked), type: 'TXT', data: 'p=old' }] }
        : answer,
    ),
  },
  'nodata-without-soa': { answer: createEmptyHandler(0) },
  'nothing-without-soa': { answer: createEmptyHandler(RCODES.NXDOMAIN) },
  // Once, and over UDP: like a forged answer of an attacker.
  'forged-once': {
    answer: (asked) => {
      const { name, type } = asked.question;
      if (type !== 'CNAME' || asked.isTcp || !isRecord(asked) || forged.has(name)) return forwardToWorkingServer(asked);
      forged.add(name);
      return reply(asked, { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN });
    },
  },
  'half-tcp': { tcp: 'broken', answer: truncated },
  'servfail-at-key': {
    answer: (asked) =>
      asked.question.name.includes('_domainkey')
        ? reply(asked, { flags: RCODES.SERVFAIL })
        : forwardToWorkingServer(asked),
  },
  v6too: { answer: forwardToWorkingServer },
};

/** The answer of a parking company for names without a zone, by the name of its zone. */
const PARKING_PAGES: Record<string, (name: string) => Answer[]> = {
  'sedoparking.com': (name) => [
    { type: 'A', name, data: '91.195.240.94' },
    { type: 'MX', name, data: { preference: 10, exchange: 'localhost' } },
    { type: 'TXT', name, data: 'v=spf1 -all' },
  ],
  'parkingcrew.net': (name) => [{ type: 'A', name, data: '76.223.67.189' }],
  'pendingrenewaldeletion.com': (name) => [{ type: 'A', name, data: '66.96.162.92' }],
};

function createParkingHandler(host: string): QueryHandler {
  const company = host.split('.').slice(1).join('.');
  return async (asked) => {
    const right = await forwardToWorkingServer(asked);
    if ((right.readUInt16BE(2) & 15) !== RCODES.REFUSED) return right;
    const { name, type } = asked.question;
    const all = PARKING_PAGES[company]?.(name) ?? [];
    const zone = name.split('.').slice(-2).join('.');
    const apex: Answer[] = ['ns1', 'ns2'].map((label) => ({ type: 'NS', name: zone, data: `${label}.${company}` }));
    const soa: Answer = {
      type: 'SOA',
      name: zone,
      ttl: TTL,
      data: { ...SOA_TIMES, mname: host, rname: `hostmaster.${company}` },
    };
    const records = name === zone ? [...all, ...apex, soa] : all;
    const answers = records
      .filter((record) => record.type === type)
      .map((record) => Object.assign({ ttl: TTL }, record));
    return reply(asked, { flags: AUTHORITATIVE_ANSWER, answers, authorities: answers.length === 0 ? [soa] : [] });
  };
}

/** Starts all of them. `isWithheld` tells which server must hide a zone that the servers behind it have. */
export async function startFaultyServers(withheldZones: (host: string) => readonly string[]): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const start = async (host: string, address: string, { answer, tcp }: FaultyBehaviour) => {
    const honest: QueryHandler = (asked) =>
      withheldZones(host).some((zone) => isBelow(asked.question.name, zone))
        ? reply(asked, { flags: RCODES.REFUSED })
        : answer(asked);
    stack.use(await listen(address, honest, tcp));
  };
  for (const [label, fault] of Object.entries(faults)) {
    await start(`${label}.badhost.net`, FAULTY[label as FaultyServer], fault);
  }
  for (const [host, address] of Object.entries(PARKING))
    await start(host, address, { answer: createParkingHandler(host) });
  return stack.move();
}
