import type { Finding } from '#contract/domains/dnsCheck.ts';
import { assess, assessAll, type Assessed } from './assessResponse.ts';
import { basisOf, isPublished, judge, type Judgement } from './catalogue/catalogue.ts';
import { compareWithResolvers } from './compareWithResolvers.ts';
import { confirmationOf } from './confirmation.ts';
import type { Conversation } from './conversation/conversation.ts';
import { type Exchange, toUsableResponse } from './conversation/exchange.ts';
import { decisiveLookUp, explainUnasked } from './explainUnasked.ts';
import { diagnose } from './diagnose.ts';
import { isDmarc } from './dmarc/dmarcRecord.ts';
import type { ExpectedRecord } from './expectedRecord.ts';
import { formatUntil } from './finding/formatUntil.ts';
import { recordToFinding } from './finding/toFinding.ts';
import { Inspection } from './inspection.ts';
import { isOtherZone, judgeBrokenDnssec, judgeFromResolver } from './resolverJudgements.ts';
import { classifyDisagreement, type ZoneCopy } from './servers/disagreement.ts';
import { isSpf } from './spf/evaluation/parseSpf.ts';
import { verifyOffer } from './verifyOffer.ts';

export type RecordCheckResult = { finding: Finding; ttl: number };

export async function checkRecord(conversation: Conversation, expected: ExpectedRecord): Promise<RecordCheckResult> {
  const inspection = new Inspection(conversation, expected);
  const decided = await decide(inspection);
  const decisive = decisiveLookUp(decided, expected);
  if (decisive !== null) inspection.addLookUpEvidence(decisive.name, decisive.type);
  const judgement = (decisive && (await explainUnasked(inspection, decided, decisive))) ?? decided;
  const offered = await verifyOffer(inspection, judgement);
  const confirmation = await confirmationOf(inspection, offered);
  return { finding: recordToFinding(inspection, offered, confirmation), ttl: judgement.ttl ?? 0 };
}

async function decide(inspection: Inspection): Promise<Judgement> {
  const usable = await inspection.queryAuthoritativeServers();
  return usable.length > 0 ? decideFromAuthoritative(inspection, usable) : judgeFromResolver(inspection);
}

/** Resolvers are queried only if all authoritative servers are right: they would cache a wrong response. */
async function decideFromAuthoritative(inspection: Inspection, exchanges: readonly Exchange[]): Promise<Judgement> {
  const all = await assessAll(inspection, exchanges);
  const rightOnes = all.filter(({ judgement }) => isPublished(judgement));
  const [first] = all;
  const [right] = rightOnes;
  if (first === undefined) return judge('RESOLVER_UNREACHABLE', { errors: [] });
  if (right === undefined) return explainAllWrong(inspection, first);
  const confirmed = await Promise.all(
    all
      .filter((one) => !rightOnes.includes(one))
      .map(async (one) => ({ one, overTcp: await confirm(inspection, one) })),
  );
  const wrong = confirmed.flatMap(({ one, overTcp }) => (isPublished(overTcp) ? [] : [one]));
  if (wrong.length === 0) {
    const differing = await Promise.all(
      confirmed.map(({ one, overTcp }) => findDifferenceOverUdp(inspection, overTcp, one)),
    );
    return differing.find((one) => one !== null) ?? compareWithResolvers(inspection, right.judgement, rightOnes);
  }
  const { onlyInParent, serverNames, zone } = inspection.delegation;
  if (wrong.every(({ exchange }) => onlyInParent.includes(exchange.server.name ?? ''))) {
    const facts = { zone, atRegistrar: onlyInParent, inZone: serverNames.toSorted() };
    return judge('REGISTRAR_NAMES_OTHERS', facts, basisOf(right.judgement));
  }
  return judgeDisagreement(inspection, wrong, right.judgement.found ?? [], rightOnes);
}

/** Some name servers are wrong. The zone versions show whether a transfer will fix that. */
async function judgeDisagreement(
  inspection: Inspection,
  wrong: readonly Assessed[],
  found: readonly string[],
  rightOnes: readonly Assessed[],
): Promise<Judgement> {
  const all = [...rightOnes, ...wrong];
  const authorities = await inspection.queryVersions(all.map(({ exchange }) => exchange.server));
  const copies = all.map((one, index): ZoneCopy => {
    const { primary = null, serial = null } = authorities[index] ?? {};
    return { server: one.exchange.server.name ?? '', isRight: rightOnes.includes(one), primary, serial };
  });
  const published = {
    wrong: wrong.map(({ exchange, judgement }) => ({
      server: exchange.server.name ?? '',
      values: judgement.found ?? [],
    })),
    serials: copies.flatMap(({ server, serial }) =>
      serial === null ? [] : `${server} has the zone in version ${serial}`,
    ),
  };
  const disagreement = classifyDisagreement(copies);
  const basis = { found, ttl: wrong[0]?.judgement.ttl };
  if (disagreement.kind === 'transfer') {
    return judge('SOME_NAMESERVERS_WRONG', { ...published, isDue: disagreement.isDue }, basis);
  }
  const { kind, at } = disagreement;
  const code = kind === 'hosts' ? 'DNS_HOSTS_DIFFER' : 'PRIMARY_WRONG';
  return judge(code, { ...published, at }, { ...basis, ...offerAtOthers(inspection, found) });
}

/** What the right servers have: the wrong ones may only lack the owner's latest change. */
function offerAtOthers(inspection: Inspection, found: readonly string[]): { offer?: string | null } {
  const { type, purpose } = inspection.expected;
  if (type !== 'TXT' || purpose === 'text') return {};
  const isOfKind = { spf: isSpf, dmarc: isDmarc, dkim: () => true }[purpose];
  const same = found.filter((text) => isOfKind(text));
  return { offer: same.length === 1 ? (same[0] ?? null) : null };
}

async function explainAllWrong(inspection: Inspection, first: Assessed): Promise<Judgement> {
  const confirmed = await confirm(inspection, first);
  if (isPublished(confirmed)) {
    return (
      (await findDifferenceOverUdp(inspection, confirmed, first)) ?? compareWithResolvers(inspection, confirmed, [])
    );
  }
  const unseen =
    (await findBrokenDnssec(inspection, confirmed)) ?? (await findSplitHorizon(inspection, first.exchange));
  if (unseen !== null) return unseen;
  // A record stored as valid may be in the cache of a resolver.
  const kept = inspection.expected.wasValid ? await inspection.queryResolver() : null;
  const cached = await assess(inspection, kept);
  if (kept !== null && cached !== null && isPublished(cached)) {
    const until = kept.at + (cached.ttl ?? 0) * 1000;
    return judge('STILL_CACHED', { until: formatUntil(until, Date.now()) }, { ...basisOf(cached), until });
  }
  return diagnose(inspection, confirmed);
}

/** Right over TCP: if the server denies the record over UDP again, the first denial wasn't forged. */
async function findDifferenceOverUdp(
  inspection: Inspection,
  right: Judgement,
  { exchange }: Assessed,
): Promise<Judgement | null> {
  const { server, query } = exchange;
  const again = await inspection.conversation.query(server, query, { isRepeated: true });
  const judgement = await assess(inspection, again);
  if (judgement === null || isPublished(judgement)) return null;
  inspection.evidence.push(again);
  return judge('UDP_AND_TCP_DIFFER', { server: server.name ?? '' }, basisOf(right));
}

/** Confirms over TCP what is missing or wrong: UDP can be forged. A server without TCP is believed. */
async function confirm(inspection: Inspection, { exchange, judgement }: Assessed): Promise<Judgement> {
  const again = await inspection.confirmAtServer(exchange);
  const confirmed = await assess(inspection, again);
  if (confirmed === null) return judgement;
  if (confirmed.code !== judgement.code) inspection.evidence.push(again);
  return confirmed;
}

/** Checked first: with broken DNSSEC, resolvers see no record at all. */
async function findBrokenDnssec(inspection: Inspection, { found }: Judgement): Promise<Judgement | null> {
  const { conversation, baseDomain, evidence } = inspection;
  const view = await conversation.resolve(baseDomain, 'NS');
  if (view === null || typeof view.answer === 'string' || view.answer.rcode !== 'SERVFAIL') return null;
  const unchecked = await conversation.resolve(baseDomain, 'NS', { isUnchecked: true });
  if (unchecked === null || toUsableResponse(unchecked) === null) return null;
  evidence.push(view, unchecked);
  return judgeBrokenDnssec(inspection, baseDomain, found, view.answer.reason);
}

/** The resolver here may use a private copy of the zone; null if it sees the public one. */
async function findSplitHorizon(inspection: Inspection, exchange: Exchange): Promise<Judgement | null> {
  const { conversation, baseDomain } = inspection;
  const known = toUsableResponse(exchange)?.authority;
  const seen = known ? toUsableResponse(await conversation.resolve(baseDomain, 'SOA')) : null;
  if (!known || !seen || !isOtherZone(seen, known)) return null;
  const judgement = await assess(inspection, await inspection.queryResolver());
  return judgement !== null && isPublished(judgement) ? judge('SPLIT_HORIZON', {}, basisOf(judgement)) : null;
}
