import { type Answer, AUTHORITATIVE_ANSWER, decode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import { AUTHORITIES, FAULTY, type FaultyServer } from './addresses.ts';
import { type QueryHandler, type ReceivedQuery, forward, listen, reply, type TcpBehaviour } from './wire.ts';

// Name servers with behaviour that no zone file can express. They forward queries to the server that has the zones, and
// change the answers.

export const RCODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };
const UDP_BYTES_WITHOUT_EDNS = 512;
const TTL = 300;

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
const truncated: QueryHandler = (asked) =>
  asked.isTcp ? forwardToWorkingServer(asked) : reply(asked, { flags: AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE });

const createByteAlteringHandler =
  (change: (bytes: Buffer) => void): QueryHandler =>
  async (asked) => {
    const bytes = Buffer.from(await forwardToWorkingServer(asked));
    change(bytes);
    return bytes;
  };

const isRecord = ({ question }: ReceivedQuery) => /^(k1|bounce)\b/.test(question.name);
const hasOption = ({ query }: ReceivedQuery) => (query.additionals ?? []).some(({ type }) => type === 'OPT');
const createOtherCname = ({ question }: ReceivedQuery): Answer => ({
  type: 'CNAME',
  name: question.name,
  ttl: TTL,
  data: 'else.otherhost.net',
});
const forged = new Set<string>();

export type FaultyBehaviour = { answer: QueryHandler; tcp?: TcpBehaviour };

const faults: Record<Exclude<FaultyServer, 'closed'>, FaultyBehaviour> = {
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
  // The SOA has the TTL of a negative answer.
  'nothing-without-soa': {
    answer: createAlteringHandler((answer, asked) =>
      isRecord(asked) && answer.answers?.length === 0 ? { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN } : answer,
    ),
  },
  // Once, and over UDP: like a forged answer of an attacker.
  'forged-once': {
    answer: (asked) => {
      const { name, type } = asked.question;
      if (type !== 'CNAME' || asked.isTcp || !isRecord(asked) || forged.has(name)) return forwardToWorkingServer(asked);
      forged.add(name);
      return reply(asked, { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN });
    },
  },
  'denies-over-udp': {
    answer: (asked) =>
      isRecord(asked) && !asked.isTcp
        ? reply(asked, { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN })
        : forwardToWorkingServer(asked),
  },
  'denies-over-tcp': {
    answer: (asked) =>
      isRecord(asked) && asked.isTcp
        ? reply(asked, { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN })
        : forwardToWorkingServer(asked),
  },
  // As if a name without records did not exist, although there are names below it.
  'denies-above': {
    answer: createAlteringHandler((answer, asked) =>
      asked.question.name.startsWith('_domainkey.') ? { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN } : answer,
    ),
  },
  // The zone is an alias, but for its own records.
  'alias-at-top': {
    answer: (asked) =>
      /^[\w-]+\.com$/.test(asked.question.name) && !['SOA', 'NS', 'DS', 'DNSKEY'].includes(asked.question.type)
        ? reply(asked, { flags: AUTHORITATIVE_ANSWER, answers: [createOtherCname(asked)] })
        : forwardToWorkingServer(asked),
  },
  'half-tcp': { tcp: 'broken', answer: truncated },
  'servfail-at-key': {
    answer: (asked) =>
      asked.question.name.includes('_domainkey')
        ? reply(asked, { flags: RCODES.SERVFAIL })
        : forwardToWorkingServer(asked),
  },
};

export async function startFaultyServers(): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  for (const [label, { answer, tcp }] of Object.entries(faults)) {
    stack.use(await listen(FAULTY[label as FaultyServer], answer, tcp));
  }
  return stack.move();
}
