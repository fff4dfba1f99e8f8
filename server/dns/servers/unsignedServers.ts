import type { Conversation } from '../conversation/conversation.ts';
import { type Exchange, toUsableResponse } from '../conversation/exchange.ts';
import type { Server } from '../wire/transport.ts';

/** Those of `servers` without keys of a zone that is signed at others and has a DS record above. */
export async function findUnsignedServers(
  conversation: Conversation,
  zone: string,
  servers: readonly Server[],
): Promise<{ servers: string[]; exchanges: Exchange[] }> {
  const delegation = toUsableResponse(await conversation.resolve(zone, 'DS'));
  if (!delegation?.answers.some(({ type }) => type === 'DS')) return { servers: [], exchanges: [] };
  const exchanges = await conversation.queryAll(servers, zone, 'DNSKEY');
  const without = exchanges.filter((exchange) => isSigned(exchange) === false);
  return exchanges.some(isSigned)
    ? { servers: without.map(({ server }) => server.name ?? '').toSorted(), exchanges }
    : { servers: [], exchanges: [] };
}

function isSigned(exchange: Exchange): boolean | null {
  return toUsableResponse(exchange)?.answers.some(({ type }) => type === 'DNSKEY') ?? null;
}
