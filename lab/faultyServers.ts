import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, AUTHORITATIVE_ANSWER, decode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import { AUTHORITIES, FAULTY, type FaultyServer, PARKING } from './addresses.ts';
import { type Answering, type Asked, forward, listen, reply, type Tcp } from './wire.ts';
import { isBelow } from './zoneFile.ts';

// Name servers that do what no zone file can say. They pass questions on to the server that has the zones, and spoil the
// answers.

export const RCODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };
const UDP_BYTES_WITHOUT_EDNS = 512;
const SLOW_MS = 1500;
const VERY_SLOW_MS = 3500;
const TTL = 300;

const behind = AUTHORITIES.behind['behind.badhost.net'];

/** The answer as it is, over the way that was asked. */
const truth = ({ bytes, isTcp }: Asked) => forward(bytes, behind, isTcp);

/** Another answer made from the right one. */
const changed =
  (change: (answer: Packet, asked: Asked) => Packet): Answering =>
  async (asked) => {
    const right = decode(await truth(asked));
    const spoilt = change(right, asked);
    // What is not changed is not written anew.
    return spoilt === right ? truth(asked) : reply(asked, { flags: right.flags, ...spoilt });
  };
const fails =
  (rcode: number): Answering =>
  (asked) =>
    reply(asked, { flags: rcode });
const after =
  (milliseconds: number): Answering =>
  async (asked) => {
    await delay(milliseconds);
    return truth(asked);
  };
const truncated: Answering = (asked) =>
  asked.isTcp ? truth(asked) : reply(asked, { flags: AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE });

const bytesWith =
  (change: (bytes: Buffer) => void): Answering =>
  async (asked) => {
    const bytes = Buffer.from(await truth(asked));
    change(bytes);
    return bytes;
  };

const isEmpty = ({ answers = [] }: Packet) => answers.length === 0;
const isRecord = ({ question }: Asked) => /^(k1|bounce)\b/.test(question.name);
const hasOption = ({ query }: Asked) => (query.additionals ?? []).some(({ type }) => type === 'OPT');
const elsewhere = ({ question }: Asked): Answer => ({
  type: 'CNAME',
  name: question.name,
  ttl: TTL,
  data: 'else.otherhost.net',
});
/** Without the SOA that says how long there is nothing. */
const nothing = (rcode: number): Answering =>
  changed((answer, asked) => (isRecord(asked) && isEmpty(answer) ? { flags: AUTHORITATIVE_ANSWER | rcode } : answer));

const forged = new Set<string>();

type Fault = { answer: Answering; tcp?: Tcp };

const faults: Record<Exclude<FaultyServer, 'closed'>, Fault> = {
  slow: { answer: after(SLOW_MS) },
  veryslow: { answer: after(VERY_SLOW_MS) },
  silent: { answer: () => null },
  refused: { answer: fails(RCODES.REFUSED) },
  servfail: { answer: fails(RCODES.SERVFAIL) },
  notimp: { answer: fails(RCODES.NOTIMP) },
  formerr: { answer: fails(RCODES.FORMERR) },
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
  'no-edns': { answer: (asked) => (hasOption(asked) ? null : truth(asked)) },
  old: { answer: (asked) => (hasOption(asked) ? reply(asked, { flags: RCODES.FORMERR }) : truth(asked)) },
  upward: {
    answer: (asked) => reply(asked, { authorities: [{ type: 'NS', name: '.', ttl: TTL, data: 'a.root-servers.net' }] }),
  },
  garbage: { answer: () => Buffer.from('hello') },
  'wrong-id': { answer: bytesWith((bytes) => bytes.writeUInt16BE((bytes.readUInt16BE(0) + 1) & 0xffff, 0)) },
  'wrong-question': {
    answer: changed((answer) => ({ ...answer, questions: [{ type: 'A', class: 'IN', name: 'else.otherhost.net' }] })),
  },
  nxdomain: {
    answer: (asked) =>
      asked.question.type === 'SOA' || asked.question.type === 'NS'
        ? truth(asked)
        : reply(asked, { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN }),
  },
  empty: { answer: (asked) => reply(asked, { flags: AUTHORITATIVE_ANSWER }) },
  'not-authoritative': {
    answer: bytesWith((bytes) => bytes.writeUInt16BE(bytes.readUInt16BE(2) & ~AUTHORITATIVE_ANSWER, 2)),
  },
  'two-cnames': {
    answer: changed((answer, asked) =>
      answer.answers?.[0]?.type === 'CNAME' && asked.question.name.startsWith('k1.')
        ? { ...answer, answers: [...answer.answers, elsewhere(asked)] }
        : answer,
    ),
  },
  'cname-beside': {
    answer: changed((answer, asked) =>
      isRecord(asked) && (asked.question.type === 'MX' || asked.question.type === 'TXT')
        ? { ...answer, answers: [elsewhere(asked), ...(answer.answers ?? [])] }
        : answer,
    ),
  },
  'cname-on-demand': {
    answer: changed((answer, asked) =>
      isRecord(asked) && asked.question.type === 'CNAME'
        ? { flags: AUTHORITATIVE_ANSWER, answers: [elsewhere(asked)] }
        : answer,
    ),
  },
  'text-beside': {
    answer: changed((answer, asked) =>
      isRecord(asked) && asked.question.type === 'TXT'
        ? {
            flags: AUTHORITATIVE_ANSWER,
            answers: [{ type: 'TXT', name: asked.question.name, ttl: TTL, data: 'p=old' }],
          }
        : answer,
    ),
  },
  'nodata-without-soa': { answer: nothing(0) },
  'nothing-without-soa': { answer: nothing(RCODES.NXDOMAIN) },
  // Once, and over UDP: as somebody would who guesses.
  'forged-once': {
    answer: (asked) => {
      const { name, type } = asked.question;
      if (type !== 'CNAME' || asked.isTcp || !isRecord(asked) || forged.has(name)) return truth(asked);
      forged.add(name);
      return reply(asked, { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN });
    },
  },
  'half-tcp': { tcp: 'broken', answer: truncated },
  'servfail-at-key': {
    answer: (asked) =>
      asked.question.name.includes('_domainkey') ? reply(asked, { flags: RCODES.SERVFAIL }) : truth(asked),
  },
  v6too: { answer: truth },
};

/** What parking companies say of every name that they have no zone for, by the name of their zone. */
const pages: Record<string, (name: string) => Answer[]> = {
  'sedoparking.com': (name) => [
    { type: 'A', name, data: '91.195.240.94' },
    { type: 'MX', name, data: { preference: 10, exchange: 'localhost' } },
    { type: 'TXT', name, data: 'v=spf1 -all' },
  ],
  'parkingcrew.net': (name) => [{ type: 'A', name, data: '76.223.67.189' }],
  'pendingrenewaldeletion.com': (name) => [{ type: 'A', name, data: '66.96.162.92' }],
};

function parked(host: string): Answering {
  const company = host.split('.').slice(1).join('.');
  return async (asked) => {
    const right = await truth(asked);
    if ((right.readUInt16BE(2) & 15) !== RCODES.REFUSED) return right;
    const { name, type } = asked.question;
    const all = pages[company]?.(name) ?? [];
    const zone = name.split('.').slice(-2).join('.');
    const apex: Answer[] = ['ns1', 'ns2'].map((label) => ({ type: 'NS', name: zone, data: `${label}.${company}` }));
    const soa: Answer = {
      type: 'SOA',
      name: zone,
      ttl: TTL,
      data: {
        mname: host,
        rname: `hostmaster.${company}`,
        serial: 1,
        refresh: 3600,
        retry: 600,
        expire: 86_400,
        minimum: TTL,
      },
    };
    const records = name === zone ? [...all, ...apex, soa] : all;
    const answers = records
      .filter((record) => record.type === type)
      .map((record) => Object.assign({ ttl: TTL }, record));
    return reply(asked, { flags: AUTHORITATIVE_ANSWER, answers, authorities: answers.length === 0 ? [soa] : [] });
  };
}

/** Starts all of them. `isWithheld` says which server must not show a zone that those behind it have. */
export async function startFaultyServers(isWithheld: (host: string) => readonly string[]): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const start = async (host: string, address: string, { answer, tcp }: Fault) => {
    const honest: Answering = (asked) =>
      isWithheld(host).some((zone) => isBelow(asked.question.name, zone))
        ? reply(asked, { flags: RCODES.REFUSED })
        : answer(asked);
    stack.use(await listen(address, honest, tcp));
  };
  for (const [label, fault] of Object.entries(faults)) {
    await start(`${label}.badhost.net`, FAULTY[label as FaultyServer], fault);
  }
  for (const [host, address] of Object.entries(PARKING)) await start(host, address, { answer: parked(host) });
  return stack.move();
}
