import { isWithin } from '#contract/values/dnsName.ts';
import { assess, assessAll, type Assessed } from './assessResponse.ts';
import { basisOf, isPublished, judge, type Judgement } from './catalogue/catalogue.ts';
import { type Exchange, toUsableResponse } from './conversation/exchange.ts';
import { formatUntil } from './finding/formatUntil.ts';
import { limitForSentence } from './finding/toFinding.ts';
import type { Inspection } from './inspection.ts';
import { isFiltered, isOtherZone, judgeResolverError } from './resolverJudgements.ts';
import { formatData } from './wire/message.ts';
import { isKeyName, parentOf } from './wire/names.ts';

const OVER_TCP_MAX = 4;

export async function compareWithResolvers(
  inspection: Inspection,
  right: Judgement,
  rightOnes: readonly Assessed[],
): Promise<Judgement> {
  const [exchanges, overTcp] = await Promise.all([
    inspection.queryEachResolver(),
    findDifferenceOverTcp(inspection, right, rightOnes),
  ]);
  const seen = await assessAll(inspection, exchanges);
  if (seen.length === 0) return judgeResolverError(inspection, exchanges.at(-1) ?? null, right);
  const [late] = seen
    .filter(({ judgement }) => !isPublished(judgement))
    .toSorted((one, other) => (other.judgement.ttl ?? 0) - (one.judgement.ttl ?? 0));
  if (late !== undefined) return judgeStaleResolver(inspection, late, right, rightOnes);
  if (right.code !== 'MATCH') return right;
  if (overTcp !== null) return overTcp;
  const conflict = await findConflictingRecords(inspection);
  if (conflict !== null) return judge('CNAME_AND_OTHER', conflict, basisOf(right));
  const { theirs: errors } = inspection.serverErrors;
  return errors.length > 0 ? judge('SOME_NAMESERVERS_SILENT', { errors }, basisOf(right)) : right;
}

/** Resolvers retry over TCP, where the response may be wrong. A server without TCP proves nothing. */
async function findDifferenceOverTcp(
  inspection: Inspection,
  right: Judgement,
  rightOnes: readonly Assessed[],
): Promise<Judgement | null> {
  const differing = await Promise.all(
    rightOnes.slice(0, OVER_TCP_MAX).map(async ({ exchange: overUdp }): Promise<Assessed | null> => {
      const exchange = await inspection.confirmAtServer(overUdp);
      const judgement = await assess(inspection, exchange);
      if (judgement === null || isPublished(judgement)) return null;
      // The record may have been changed between the two.
      const { server, query } = overUdp;
      const again = await assess(inspection, await inspection.conversation.query(server, query, { isRepeated: true }));
      return again === null || isPublished(again) ? { exchange, judgement } : null;
    }),
  );
  const first = differing.find((one) => one !== null);
  if (!first) return null;
  inspection.evidence.push(first.exchange);
  const values = limitForSentence(first.judgement.found ?? []);
  return judge('WRONG_OVER_TCP', { server: first.exchange.server.name ?? '', values }, basisOf(right));
}

async function judgeStaleResolver(
  inspection: Inspection,
  { exchange, judgement }: Assessed,
  right: Judgement,
  rightOnes: readonly Assessed[],
): Promise<Judgement> {
  const response = toUsableResponse(exchange);
  if (response === null) return right;
  if (isFiltered(response)) return judge('BLOCKED_BY_FILTER', { reason: response.reason ?? '' });
  const basis = basisOf(judgement);
  const { zone } = inspection;
  const known = zone === null ? null : (await inspection.queryResponse(zone, 'SOA'))?.authority;
  if (known && isOtherZone(response, known)) return judge('MISSING_INSIDE', {}, basis);
  const conflict = judgement.code === 'CNAME_AT_NAME' ? await findConflictingRecords(inspection) : null;
  if (conflict !== null) return judge('CNAME_AND_OTHER', conflict, basisOf(right));
  const denied = response.rcode === 'NXDOMAIN' ? await findDeniedName(inspection, rightOnes) : null;
  if (denied !== null) return judge('NAME_ABOVE_DENIED', denied, basisOf(right));
  const until = exchange.at + (judgement.ttl ?? 0) * 1000;
  const code = judgement.found?.length ? 'CACHED_OLD_VALUE' : 'CACHED_NEGATIVE';
  return judge(code, { until: formatUntil(until, Date.now()) }, { ...basis, until });
}

/** A name between the record and its zone that a server denies, so that nothing can be below it (RFC 8020). */
async function findDeniedName(
  { conversation, zone, expected, evidence }: Inspection,
  rightOnes: readonly Assessed[],
): Promise<{ above: string; server: string } | null> {
  if (zone === null) return null;
  const servers = rightOnes.slice(0, OVER_TCP_MAX).map(({ exchange }) => exchange.server);
  for (let above = parentOf(expected.name); above !== zone && isWithin(above, zone); above = parentOf(above)) {
    const exchanges: Exchange[] = await conversation.queryAll(servers, above, 'A');
    const denying = exchanges.find((exchange) => toUsableResponse(exchange)?.rcode === 'NXDOMAIN');
    if (denying === undefined) continue;
    evidence.push(denying);
    return { above, server: denying.server.name ?? '' };
  }
  return null;
}

/**
 * The records that conflict with the expected one, because one of them is a CNAME; null if there are none. An authoritative
 * server with both returns the one that is queried.
 */
async function findConflictingRecords(
  inspection: Inspection,
): Promise<{ other: string; values: readonly string[] } | null> {
  if (!inspection.hasAuthoritativeAnswer) return null;
  const { name, type } = inspection.expected;
  const other = type !== 'CNAME' ? 'CNAME' : isKeyName(name) ? 'TXT' : 'A';
  const own = (await inspection.queryRecords(name, other)).filter((data) => data.name === name);
  const conflicting = own.filter((data) => data.type === other);
  if (conflicting.length === 0 || own.some((data) => data.type === type)) return null;
  await inspection.addEvidence(name, other);
  return { other, values: conflicting.map(formatData).toSorted() };
}
