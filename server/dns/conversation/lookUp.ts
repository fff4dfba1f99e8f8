import { queryAuthoritativeServers } from './delegation.ts';
import type { DnsResponse, ResourceRecord, RecordType } from '../wire/message.ts';
import { foldName } from '../wire/names.ts';
import { type Exchange, type CheckRun, classifyExchangeError, toUsableResponse } from './conversation.ts';

/** The result of a look-up of a name and type. */
export type Resolution = {
  name: string;
  type: RecordType;
  /** The records of the type, after following aliases; null when that failed. */
  records: readonly ResourceRecord[] | null;
  /** Whether the name, or the target of its aliases, does not exist. */
  isNxdomain: boolean;
  /** Why the look-up failed, as the end of a sentence; empty when it did not. */
  reason: string;
};

/**
 * Looks up a name. Never rejects: a failed query gives a result without records. Each query is sent only once in a run.
 */
export type LookUp = (name: string, type: RecordType) => Promise<Resolution>;

const NAME_MAX = 253;
const LABEL_MAX = 63;

/** The result of a look-up, with its exchanges. */
export type TracedResolution = Resolution & {
  exchanges: readonly Exchange[];
  /** The zone of the name; empty when it is not known. */
  zone: string;
};

/**
 * Creates a look-up in `run`. When `baseOf` returns a domain for a name, one of its authoritative servers is queried,
 * so that no resolver caches a negative response; resolvers otherwise. `onLookUp` is called with each result.
 */
export function createLookUp(
  run: CheckRun,
  baseOf: (name: string) => string | null,
  onLookUp?: (lookedUp: TracedResolution) => void,
): LookUp {
  return async (written, type) => {
    const name = foldName(written);
    if (!isAskable(name)) return { name, type, records: [], isNxdomain: true, reason: '' };
    const base = baseOf(name);
    const there =
      base === null || !run.usesAuthoritativeServers
        ? null
        : await queryAuthoritativeServers(run, base, name, type, 'first');
    const exchanges = [...(there?.exchanges ?? [])];
    let response = responseIn(exchanges);
    // Authoritative servers do not follow an alias out of their zone.
    if (response === null || isAliasOnly(response, type)) {
      const exchange = await run.resolve(name, type);
      if (exchange !== null) exchanges.push(exchange);
      response = exchange && toUsableResponse(exchange);
    }
    // A negative response over UDP may be forged, and would remove what leads there. It is confirmed over TCP.
    const last = exchanges.at(-1);
    if (response !== null && last !== undefined && !response.answers.some((data) => data.type === type)) {
      const again = await run.query(last.server, { ...last.query, isTcp: true });
      const confirmed = toUsableResponse(again);
      if (confirmed?.answers.some((data) => data.type === type)) {
        exchanges.push(again);
        response = confirmed;
      }
    }
    const lookedUp: TracedResolution = {
      name,
      type,
      records: response && response.answers.filter((data) => data.type === type),
      isNxdomain: response?.rcode === 'NXDOMAIN',
      reason: response === null ? describeExchangeErrors(exchanges) : '',
      exchanges,
      zone: response?.authority?.zone ?? there?.zone ?? '',
    };
    onLookUp?.(lookedUp);
    return lookedUp;
  };
}

function responseIn(exchanges: readonly Exchange[]): DnsResponse | null {
  return exchanges.map(toUsableResponse).find((response) => response !== null) ?? null;
}

function isAliasOnly({ answers }: DnsResponse, type: string): boolean {
  return (
    type !== 'CNAME' && answers.some((data) => data.type === 'CNAME') && !answers.some((data) => data.type === type)
  );
}

/** The server without a usable response, and why. */
function describeExchangeErrors(exchanges: readonly Exchange[]): string {
  const reasons = exchanges.map(
    (exchange) => `${exchange.server.name ?? exchange.server.address}: ${classifyExchangeError(exchange)}`,
  );
  return reasons.join('; ') || 'no resolver is set up';
}

/** A name that is too long for a query does not exist (RFC 1035, section 2.3.4). */
function isAskable(name: string): boolean {
  const sizes = name.split('.').map((label) => Buffer.byteLength(label));
  return Buffer.byteLength(name) <= NAME_MAX && sizes.every((size) => size > 0 && size <= LABEL_MAX);
}
