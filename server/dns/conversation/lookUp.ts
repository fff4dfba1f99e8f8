import type { DnsResponse, ResourceRecord, RecordType, SoaAuthority } from '../wire/message.ts';
import { foldName, isAskable } from '../wire/names.ts';
import type { Conversation } from './conversation.ts';
import { type Exchange, classifyExchangeError, findUsableResponse, toUsableResponse } from './exchange.ts';

export type Resolution = {
  name: string;
  type: RecordType;
  records: readonly ResourceRecord[] | null;
  isNxdomain: boolean;
  /** The SOA record of the zone, if the response has it. */
  authority?: SoaAuthority | null;
  /** Why the look-up failed, as the end of a sentence; empty when it did not. */
  reason: string;
};

/**
 * Looks up a name. Never rejects: a failed query gives a result without records. Each query is sent only once in a run.
 */
export type LookUp = (name: string, type: RecordType) => Promise<Resolution>;

export type TracedResolution = Resolution & {
  exchanges: readonly Exchange[];
  zone: string;
};

/**
 * Creates a look-up. When `baseOf` returns a domain for a name, one of its authoritative servers is queried, so that no
 * resolver caches a negative response; resolvers otherwise. `traced` gets each result.
 */
export function createLookUp(
  conversation: Conversation,
  baseOf: (name: string) => string | null,
  traced: TracedResolution[],
): LookUp {
  return async (written, type) => {
    const name = foldName(written);
    // Such a name does not exist (RFC 1035, section 2.3.4).
    if (!isAskable(name)) return { name, type, records: [], isNxdomain: true, reason: '' };
    const base = conversation.usesAuthoritativeServers ? baseOf(name) : null;
    const there = base === null ? null : await conversation.queryZone(base, name, type, 'first');
    const exchanges = [...(there?.exchanges ?? [])];
    let response = findUsableResponse(exchanges);
    // Authoritative servers do not follow an alias out of their zone.
    if (response === null || (!has(response, type) && has(response, 'CNAME'))) {
      const exchange = await conversation.resolve(name, type);
      if (exchange !== null) exchanges.push(exchange);
      response = toUsableResponse(exchange);
    }
    // A negative response over UDP may be forged, and would remove what leads there. It is confirmed over TCP.
    const last = exchanges.at(-1);
    if (response !== null && last !== undefined && !has(response, type)) {
      const again = await conversation.query(last.server, { ...last.query, isTcp: true });
      const confirmed = toUsableResponse(again);
      if (has(confirmed, type)) {
        exchanges.push(again);
        response = confirmed;
      }
    }
    const resolution: TracedResolution = {
      name,
      type,
      records: response && response.answers.filter((data) => data.type === type),
      isNxdomain: response?.rcode === 'NXDOMAIN',
      authority: response?.authority ?? null,
      reason: response === null ? describeExchangeErrors(exchanges) : '',
      exchanges,
      zone: response?.authority?.zone ?? there?.zone ?? '',
    };
    traced.push(resolution);
    return resolution;
  };
}

/** A name below the top of its zone has no SOA record of its own: the response has that of the zone. */
function has(response: DnsResponse | null, type: string): boolean {
  if (type === 'SOA' && response?.rcode === 'NOERROR' && response.authority !== null) return true;
  return response?.answers.some((data) => data.type === type) ?? false;
}

function describeExchangeErrors(exchanges: readonly Exchange[]): string {
  const reasons = exchanges.map(
    (exchange) => `${exchange.server.name ?? exchange.server.address}: ${classifyExchangeError(exchange)}`,
  );
  return reasons.join('; ') || 'no resolver is set up';
}
