import type { Confirmation } from '#contract/domains/dnsCheck.ts';
import { works } from '#contract/domains/recordStatus.ts';
import { assessAll } from './assessResponse.ts';
import { isPublished, type Judgement, MISSING_CODES, resultOf } from './catalogue/catalogue.ts';
import { type Exchange, toUsableResponse } from './conversation/exchange.ts';
import type { Inspection } from './inspection.ts';
import { isPublicSuffix } from './wire/names.ts';

/** Counts what has said the same as `judgement`, the end of the inspection. Sends no query. */
export async function confirmationOf(inspection: Inspection, judgement: Judgement): Promise<Confirmation | null> {
  const result = resultOf(judgement.code, 'record');
  if (result === 'unknown') return null;
  const { exchanges, servers, zone } = inspection.delegation;
  const atServers = await judgementsOf(inspection, exchanges);
  const overTcp = await judgementsOf(inspection, inspection.askedOverTcp);
  const isRight = saysRight(judgement, atServers, overTcp);
  const agree = (all: readonly Judgement[]) => all.filter((one) => isPublished(one) === isRight);
  const isWholeZone = !isPublicSuffix(zone) && exchanges.length > 0 && exchanges.length >= servers.length;
  return {
    authoritative: agree(atServers).length,
    of: exchanges.length,
    over_tcp: agree(overTcp).length > 0,
    resolvers: agree(await judgementsOf(inspection, inspection.askedResolvers)).length,
    is_gone:
      result === 'fail' &&
      isWholeZone &&
      atServers.length === exchanges.length &&
      [...atServers, ...overTcp].every(({ code }) => MISSING_CODES.has(code)),
  };
}

/** Whether `judgement` follows from what is right at the servers, or from what isn't. */
function saysRight(judgement: Judgement, atServers: readonly Judgement[], overTcp: readonly Judgement[]): boolean {
  const right = atServers.filter(isPublished).length;
  if (atServers.length === 0) return isPublished(judgement);
  if (right === 0) return resultOf(judgement.code, 'record') !== 'fail' && overTcp.some(isPublished);
  return right === atServers.length || works(resultOf(judgement.code, 'record'));
}

/** Those of usable responses, one of each server. */
async function judgementsOf(inspection: Inspection, exchanges: readonly Exchange[]): Promise<Judgement[]> {
  const byServer = new Map(exchanges.map((one) => [one.server.address, one]));
  return (await assessAll(inspection, [...byServer.values()])).map(({ judgement }) => judgement);
}

/** What confirms advice, or what is watched: those of the exchanges about it that have a response. */
export function confirmationBy(
  exchanges: readonly Exchange[],
  isUsable = (exchange: Exchange) => toUsableResponse(exchange) !== null,
): Confirmation {
  const usable = exchanges.filter((one) => isUsable(one));
  return {
    authoritative: countServers(usable, true),
    of: countServers(exchanges, true),
    over_tcp: usable.some(({ query }) => query.isTcp === true),
    resolvers: countServers(usable, false),
    is_gone: false,
  };
}

function countServers(exchanges: readonly Exchange[], areNameServers: boolean): number {
  const asked = exchanges.filter(({ server }) => (server.name !== null) === areNameServers);
  return new Set(asked.map(({ server }) => server.address)).size;
}
