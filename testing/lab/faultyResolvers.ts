import {
  type Answer,
  decode,
  encode,
  type Packet,
  type PacketOpt,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import { AUTHORITIES, RESOLVERS, type ResolverName } from './addresses.ts';
import { createErrorHandler, type FaultyBehaviour, RCODES } from './faultyServers.ts';
import { type QueryHandler, type ReceivedQuery, forward, listen, reply } from './wire.ts';
import { isBelow } from './zoneFile.ts';

// Faulty resolvers as they occur in practice, in front of the working one.

const FLAGS = RECURSION_DESIRED | RECURSION_AVAILABLE;
const CHECKING_DISABLED = 0x0010;
const AUTHENTIC_DATA = 0x0020;
/** Extended DNS error "Blocked" (RFC 8914, section 4.16), with its length. */
const BLOCKED = Buffer.from([0, 15]);
const EXTENDED_ERROR = 15;
const SEARCH_PAGE = '198.105.244.130';

const forwardToWorkingResolver = ({ bytes, isTcp }: ReceivedQuery) => forward(bytes, RESOLVERS.validating, isTcp);

/** A resolver that does not validate. */
const plain: QueryHandler = async (asked) => {
  const bytes = Buffer.from(asked.bytes);
  bytes.writeUInt16BE(bytes.readUInt16BE(2) | CHECKING_DISABLED, 2);
  const answer = await forward(bytes, RESOLVERS.validating, asked.isTcp);
  answer.writeUInt16BE(answer.readUInt16BE(2) & ~CHECKING_DISABLED & ~AUTHENTIC_DATA, 2);
  return answer;
};

const filtering: QueryHandler = (asked) => {
  if (!asked.question.name.includes('blocked')) return forwardToWorkingResolver(asked);
  // The types know only four options.
  const why = { code: EXTENDED_ERROR, data: BLOCKED } as unknown as PacketOpt;
  return reply(asked, {
    flags: FLAGS | RCODES.NXDOMAIN,
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: 1232,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [why],
      },
    ],
  });
};

const rewriting: QueryHandler = async (asked) => {
  const right = await forwardToWorkingResolver(asked);
  if ((right.readUInt16BE(2) & 15) !== RCODES.NXDOMAIN) return right;
  const { name, type } = asked.question;
  const page: Answer = { type: 'A', name, ttl: 60, data: SEARCH_PAGE };
  return reply(asked, { flags: FLAGS, answers: type === 'A' ? [page] : [] });
};

/** Asks for the name above first, and believes a denial for all below it (RFC 8020, RFC 9156). */
const nameByName: QueryHandler = async (asked) => {
  const [, ...above] = asked.question.name.split('.');
  const question = { type: 'A', name: above.join('.') } as const;
  const query = encode({ type: 'query', id: 1, flags: RECURSION_DESIRED, questions: [question] });
  const answer = await forward(query, RESOLVERS.validating, true);
  return above.length > 1 && (answer.readUInt16BE(2) & 15) === RCODES.NXDOMAIN
    ? reply(asked, { flags: FLAGS | RCODES.NXDOMAIN })
    : forwardToWorkingResolver(asked);
};

/** Answers for `zones()` from a version of its own, and forwards everything else. */
function createInsideHandler(zones: () => readonly string[]): QueryHandler {
  const own = AUTHORITIES.inside.inside;
  return async (asked) => {
    if (!zones().some((zone) => isBelow(asked.question.name, zone))) return forwardToWorkingResolver(asked);
    const bytes = await forward(asked.bytes, own, asked.isTcp);
    const answer = decode(bytes);
    const last = answer.answers?.at(-1);
    if (last?.type !== 'CNAME' || asked.question.type === 'CNAME' || zones().some((zone) => isBelow(last.data, zone))) {
      bytes.writeUInt16BE(bytes.readUInt16BE(2) | RECURSION_AVAILABLE, 2);
      return bytes;
    }
    const next: Packet = {
      type: 'query',
      id: 1,
      flags: RECURSION_DESIRED,
      questions: [{ ...asked.question, name: last.data }],
    };
    const rest = decode(await forward(encode(next), RESOLVERS.validating, true));
    const answers = [...(answer.answers ?? []), ...(rest.answers ?? [])];
    return reply(asked, { flags: (rest.flags ?? 0) | RECURSION_AVAILABLE, answers, authorities: rest.authorities });
  };
}

/** Starts all of them. `zones` are those of which the resolver `inside` has its own version. */
export async function startFaultyResolvers(zones: () => readonly string[]): Promise<AsyncDisposable> {
  const faults: Record<Exclude<ResolverName, 'validating' | 'closed' | 'unreachable'>, FaultyBehaviour> = {
    plain: { answer: plain },
    silent: { answer: () => null },
    refused: { answer: createErrorHandler(FLAGS | RCODES.REFUSED) },
    servfail: { answer: createErrorHandler(FLAGS | RCODES.SERVFAIL) },
    nxdomain: { answer: createErrorHandler(FLAGS | RCODES.NXDOMAIN) },
    filtering: { answer: filtering },
    truncating: { answer: (asked) => reply(asked, { flags: FLAGS | TRUNCATED_RESPONSE }), tcp: 'refused' },
    garbage: { answer: () => Buffer.from('hello') },
    rewriting: { answer: rewriting },
    inside: { answer: createInsideHandler(zones) },
    'name-by-name': { answer: nameByName },
  };
  await using stack = new AsyncDisposableStack();
  for (const [name, { answer, tcp }] of Object.entries(faults)) {
    stack.use(await listen(RESOLVERS[name as ResolverName], answer, tcp));
  }
  return stack.move();
}
