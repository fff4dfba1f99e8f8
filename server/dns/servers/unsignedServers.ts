import { type CheckRun, type Exchange, toUsableResponse } from '../conversation/conversation.ts';
import type { Server } from '../wire/transport.ts';

/** Those of `servers` without keys of a zone that is signed at others and has a DS record above. */
export async function findUnsignedServers(
  run: CheckRun,
  zone: string,
  servers: readonly Server[],
): Promise<{ servers: string[]; exchanges: Exchange[] }> {
  const signer = await run.resolve(zone, 'DS');
  const hasSigner = signer !== null && toUsableResponse(signer)?.answers.some(({ type }) => type === 'DS');
  if (!hasSigner) return { servers: [], exchanges: [] };
  const exchanges = await Promise.all(
    servers.map((server) => run.query(server, { name: zone, type: 'DNSKEY', isRecursive: false })),
  );
  const without = exchanges.filter((exchange) => isSigned(exchange) === false);
  return exchanges.some(isSigned)
    ? { servers: without.map(({ server }) => server.name ?? '').toSorted(), exchanges }
    : { servers: [], exchanges: [] };
}

/** Whether the server has keys of the zone; null when it has no usable response. */
function isSigned(exchange: Exchange): boolean | null {
  return toUsableResponse(exchange)?.answers.some(({ type }) => type === 'DNSKEY') ?? null;
}
