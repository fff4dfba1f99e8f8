import { isIP } from 'node:net';
import { isWithin } from '#contract/dnsName.ts';
import type { Ask, Asker, Reply, Server } from './asker.ts';
import type { Message } from './message.ts';
import { parentOf } from './names.ts';

const SERVERS_MAX = 4;
const REFERRALS_MAX = 6;
/** Labels that are taken off while nobody answers for a name. */
const ANCESTORS_MAX = 4;

/** What the name servers in charge of a name say. */
export type Authoritative = {
  /** The zone the name lies in; empty when nobody could tell. */
  zone: string;
  /** Names of its servers, whether or not they answer. */
  serverNames: string[];
  /** One reply for each server that was asked; empty when none can be. */
  replies: Reply[];
};

/** The message in a reply that says something about the name: the record, or that there is none. */
export function usable({ answer }: Reply): Message | null {
  if (typeof answer === 'string' || !['NOERROR', 'NXDOMAIN'].includes(answer.rcode)) return null;
  return answer.isTruncated || answer.referral !== null ? null : answer;
}

/** Who gave no usable answer, and why. */
export function reasonOf({ server, answer }: Reply): string {
  return `${server.name ?? server.address}: ${typeof answer === 'string' ? answer : answer.referral ? 'not in charge' : answer.rcode}`;
}

/** Asks through the first resolver that answers. */
export async function askResolvers(
  asker: Asker,
  ask: Ask,
  name: string,
  type: Reply['question']['type'],
  isUnchecked = false,
): Promise<Reply | null> {
  let last: Reply | null = null;
  for (const resolver of asker.resolvers) {
    last = await ask(resolver, { name, type, isRecursive: true, ...(isUnchecked && { isUnchecked }) });
    if (usable(last) !== null) return last;
  }
  return last;
}

/**
 * Walks through the delegations to the servers in charge of `name`, which lies in `domain`, and asks all of them, or one
 * after the other until one answers.
 */
export async function askAuthorities(
  asker: Asker,
  ask: Ask,
  domain: string,
  name: string,
  type: Reply['question']['type'],
  whom: 'all' | 'first' = 'all',
): Promise<Authoritative> {
  let { zone, servers, serverNames } = await startingZone(asker, ask, domain);
  for (let step = 0; step < REFERRALS_MAX; step++) {
    const question = { name, type, isRecursive: false };
    const replies =
      whom === 'all'
        ? await Promise.all(servers.map((server) => ask(server, question)))
        : await repliesUntilOne(servers, (server) => ask(server, question));
    const below = replies
      .map(({ answer }) => (typeof answer === 'string' ? null : answer))
      .find((answer) => answer?.referral !== null && answer !== null && isDeeper(answer.referral.zone, zone, name));
    if (!below?.referral) return { zone, serverNames, replies };
    zone = below.referral.zone;
    serverNames = below.referral.servers;
    servers = await serversOf(asker, ask, serverNames, below);
  }
  return { zone, serverNames, replies: [] };
}

async function repliesUntilOne(servers: readonly Server[], ask: (server: Server) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const server of servers) {
    const reply = await ask(server);
    replies.push(reply);
    if (typeof reply.answer !== 'string' && ['NOERROR', 'NXDOMAIN'].includes(reply.answer.rcode)) break;
  }
  return replies;
}

/** A lame server refers to the root or to itself. */
function isDeeper(to: string, from: string, name: string): boolean {
  return to !== from && isWithin(to, from) && isWithin(name, to);
}

/**
 * The closest zone above which resolvers know. They are asked for the domain and never for the name of a record: what
 * they are asked for too early they remember as missing.
 */
async function startingZone(
  asker: Asker,
  ask: Ask,
  domain: string,
): Promise<{ zone: string; servers: Server[]; serverNames: string[] }> {
  for (let name = domain, step = 0; name !== '' && step < ANCESTORS_MAX; name = parentOf(name), step++) {
    const reply = await askResolvers(asker, ask, name, 'SOA');
    const zone = (reply === null ? null : usable(reply))?.authority?.zone;
    if (zone === undefined || !isWithin(domain, zone)) continue;
    const list = await askResolvers(asker, ask, zone, 'NS');
    const message = list && usable(list);
    const serverNames = (message?.answers ?? []).flatMap(({ type, value }) =>
      type === 'NS' ? [value.toLowerCase()] : [],
    );
    // Where resolvers do not come through to the servers, the zone above knows them.
    if (serverNames.length === 0 && asker.asksAuthorities) continue;
    return { zone, serverNames, servers: await serversOf(asker, ask, serverNames, message) };
  }
  return { zone: '', servers: [], serverNames: [] };
}

/** One address for each of the first servers, without a question where it came along with their names. */
async function serversOf(asker: Asker, ask: Ask, names: readonly string[], came: Message | null): Promise<Server[]> {
  if (!asker.asksAuthorities) return [];
  const found = await Promise.all(
    names
      .toSorted()
      .slice(0, SERVERS_MAX)
      .map(async (name) => {
        const glued = came?.glue.find((data) => data.name === name && isIP(data.value) !== 0)?.value;
        const address =
          glued ?? (await addressOf(asker, ask, name, 'A')) ?? (await addressOf(asker, ask, name, 'AAAA'));
        return address === undefined ? null : asker.authority(name, address);
      }),
  );
  return found.filter((server) => server !== null);
}

/** A server that is not known to be in charge; null when it has no address, or name servers are left alone. */
export async function serverNamed(asker: Asker, ask: Ask, name: string): Promise<Server | null> {
  const [server = null] = await serversOf(asker, ask, [name], null);
  return server;
}

async function addressOf(asker: Asker, ask: Ask, name: string, type: 'A' | 'AAAA'): Promise<string | undefined> {
  const reply = await askResolvers(asker, ask, name, type);
  const answers = (reply === null ? null : usable(reply))?.answers ?? [];
  return answers.find((data) => data.type === type)?.value;
}
