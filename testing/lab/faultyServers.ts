import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import { AUTHORITIES, FAULTY, RESOLVERS } from './addresses.ts';
import { type Fault, type FaultRule, faults } from './situations/faults.ts';
import { forward, listen, type QueryHandler, type ReceivedQuery, reply } from './wire.ts';
import { isBelow } from './zoneFile.ts';

// Servers with the faults of the situations. They forward queries to a server that is right.

const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };
const TTL = 300;
const CHECKING_DISABLED = 0x0010;
const AUTHENTIC_DATA = 0x0020;

/** How the server that is right responds, and the flags of a response. */
type Role = { forward: (bytes: Buffer, isTcp: boolean) => Promise<Buffer>; flags: number };

const toWorkingResolver = (bytes: Buffer, isTcp: boolean) => forward(bytes, RESOLVERS.validating, isTcp);
const behind = AUTHORITIES.behind['behind.badhost.net'];
const NAME_SERVER: Role = { forward: (bytes, isTcp) => forward(bytes, behind, isTcp), flags: AUTHORITATIVE_ANSWER };
const RESOLVER: Role = { forward: toWorkingResolver, flags: RECURSION_DESIRED | RECURSION_AVAILABLE };

/** Starts all of them. The resolver `inside` has its own version of `zones`. */
export async function startFaultyServers(zones: () => readonly string[]): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  for (const [name, fault] of faults) {
    if (fault.absent !== undefined) continue;
    const ways = { 'without validation': withoutValidation, inside: createInsideForwarder(zones) };
    const resolver = fault.forwards === undefined ? RESOLVER : { ...RESOLVER, forward: ways[fault.forwards] };
    stack.use(await listen(FAULTY[name], createHandler(fault, NAME_SERVER), fault.tcp));
    stack.use(await listen(RESOLVERS[name], createHandler(fault, resolver), fault.tcp));
  }
  return stack.move();
}

function createHandler({ rules = [], tcp }: Fault, role: Role): QueryHandler {
  return async (asked) => {
    let right: Promise<Buffer> | undefined;
    // Over TCP the response is whole, and may be truncated here.
    const getRight = () => (right ??= role.forward(asked.bytes, asked.isTcp || tcp === 'refused'));
    for (const { when = {}, respond } of rules) {
      if (!(await matches(when, asked, getRight))) continue;
      if (typeof respond === 'object' && 'change' in respond) return change(respond.change, asked, await getRight());
      return createResponse(respond, asked, role);
    }
    return getRight();
  };
}

type Condition = NonNullable<FaultRule['when']>;

async function matches(
  { name, types, otherThan, isTcp, hasEdns, right }: Condition,
  asked: ReceivedQuery,
  getRight: () => Promise<Buffer>,
): Promise<boolean> {
  const { question, query } = asked;
  if (name?.test(question.name) === false || types?.includes(question.type) === false) return false;
  if (otherThan?.includes(question.type) || (isTcp !== undefined && asked.isTcp !== isTcp)) return false;
  if (hasEdns && !query.additionals?.some(({ type }) => type === 'OPT')) return false;
  return right === undefined || isLike(right, await getRight());
}

function isLike({ rcode, isEmpty, over = 0 }: NonNullable<Condition['right']>, bytes: Buffer): boolean {
  const { answers = [], flags = 0 } = decode(bytes);
  if (rcode !== undefined && (flags & 15) !== RCODES[rcode]) return false;
  if (isEmpty && answers.length > 0) return false;
  return bytes.length > over;
}

const createQuery = (question: Question) =>
  encode({ type: 'query', id: 1, flags: RECURSION_DESIRED, questions: [question] });

function createResponse(
  how: Exclude<FaultRule['respond'], { change: object }>,
  asked: ReceivedQuery,
  role: Role,
): Buffer | null {
  if (how === 'nothing') return null;
  if (how === 'garbage') return Buffer.from('hello');
  const { rcode = 'NOERROR', isTruncated, answers = [], referral } = how;
  const flags = referral === undefined ? role.flags : 0;
  return reply(asked, {
    flags: flags | RCODES[rcode] | (isTruncated ? TRUNCATED_RESPONSE : 0),
    answers: answers.map((text) => recordOf(text, asked)),
    authorities: referral === undefined ? [] : [{ type: 'NS', name: '.', ttl: TTL, data: referral }],
  });
}

type Change = Extract<FaultRule['respond'], { change: object }>['change'];

function change({ id, isNotAuthoritative, question }: Change, asked: ReceivedQuery, right: Buffer): Buffer {
  const bytes = Buffer.from(right);
  if (id !== undefined) bytes.writeUInt16BE((bytes.readUInt16BE(0) + id) & 0xffff, 0);
  if (isNotAuthoritative) bytes.writeUInt16BE(bytes.readUInt16BE(2) & ~AUTHORITATIVE_ANSWER, 2);
  if (question === undefined) return bytes;
  return reply(asked, { ...decode(bytes), questions: [{ type: 'A', class: 'IN', name: question }] });
}

/** A record as in a zone file, without its name. */
function recordOf(text: string, { question: { name } }: ReceivedQuery): Answer {
  const [type, data = ''] = text.split(' ');
  return { type, name, ttl: TTL, data } as Answer;
}

/** A resolver that does not validate. */
async function withoutValidation(query: Buffer, isTcp: boolean): Promise<Buffer> {
  const bytes = Buffer.from(query);
  bytes.writeUInt16BE(bytes.readUInt16BE(2) | CHECKING_DISABLED, 2);
  const response = await toWorkingResolver(bytes, isTcp);
  response.writeUInt16BE(response.readUInt16BE(2) & ~CHECKING_DISABLED & ~AUTHENTIC_DATA, 2);
  return response;
}

/** Answers for `zones()` from a version of its own, and follows an alias out of them. */
function createInsideForwarder(zones: () => readonly string[]): Role['forward'] {
  const isInside = (name: string) => zones().some((zone) => isBelow(name.toLowerCase(), zone));
  return async (query, isTcp) => {
    const [question] = decode(query).questions ?? [];
    if (question === undefined || !isInside(question.name)) return toWorkingResolver(query, isTcp);
    const bytes = await forward(query, AUTHORITIES.inside.inside, isTcp);
    const { id, questions, answers = [] } = decode(bytes);
    const last = answers.at(-1);
    if (last?.type !== 'CNAME' || question.type === 'CNAME' || isInside(last.data)) {
      bytes.writeUInt16BE(bytes.readUInt16BE(2) | RECURSION_AVAILABLE, 2);
      return bytes;
    }
    const rest = decode(await toWorkingResolver(createQuery({ ...question, name: last.data }), true));
    return encode({
      type: 'response',
      id,
      questions,
      flags: (rest.flags ?? 0) | RECURSION_AVAILABLE,
      answers: [...answers, ...(rest.answers ?? [])],
      authorities: rest.authorities,
    });
  };
}
