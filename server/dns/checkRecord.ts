import type { Finding } from '#contract/dnsCheck.ts';
import { Assessor, type Assessed } from './assessor.ts';
import { basisOf, isPublished, judge, type Judgement } from './catalogue/catalogue.ts';
import { compareWithResolvers } from './compareWithResolvers.ts';
import type { Conversation } from './conversation/conversation.ts';
import { type Exchange, toUsableResponse } from './conversation/exchange.ts';
import { decisiveLookUp } from './decisiveLookUp.ts';
import { diagnose } from './diagnose.ts';
import { isDmarc } from './dmarc/dmarcRecord.ts';
import type { ExpectedRecord } from './expectedRecord.ts';
import { explainUnasked } from './explainUnasked.ts';
import { formatUntil } from './finding/formatUntil.ts';
import { recordToFinding } from './finding/toFinding.ts';
import { Inspection } from './inspection.ts';
import { isOtherZone, judgeBrokenDnssec, judgeFromResolver } from './resolverJudgements.ts';
import { classifyDisagreement, type ZoneCopy } from './servers/disagreement.ts';
import { isSpf } from './spf/evaluation/parseSpf.ts';
import { verifyOffer } from './verifyOffer.ts';

export type RecordCheckResult = { finding: Finding; ttl: number };

/** Queries what is published, and finds out why it is not as expected. Failed queries give a finding too. */
export async function checkRecord(conversation: Conversation, expected: ExpectedRecord): Promise<RecordCheckResult> {
  const inspection = new Inspection(conversation, expected);
  const decided = await new RecordChecker(inspection).decide();
  const decisive = decisiveLookUp(decided, expected);
  if (decisive !== null) inspection.addLookUpEvidence(decisive.name, decisive.type);
  const judgement = (decisive && (await explainUnasked(inspection, decided, decisive))) ?? decided;
  const offered = await verifyOffer(inspection, judgement);
  return { finding: recordToFinding(inspection, offered), ttl: judgement.ttl ?? 0 };
}

class RecordChecker {
  readonly #inspection: Inspection;
  readonly #assessor: Assessor;

  constructor(inspection: Inspection) {
    this.#inspection = inspection;
    this.#assessor = new Assessor(inspection);
  }

  async decide(): Promise<Judgement> {
    const usable = await this.#inspection.queryAuthoritativeServers();
    return usable.length > 0 ? this.#decideFromAuthoritative(usable) : judgeFromResolver(this.#assessor);
  }

  /** Resolvers are queried only if all authoritative servers are right: they would cache a wrong response. */
  async #decideFromAuthoritative(exchanges: readonly Exchange[]): Promise<Judgement> {
    const all = await this.#assessor.assessAll(exchanges);
    const rightOnes = all.filter(({ judgement }) => isPublished(judgement));
    const [first] = all;
    const [right] = rightOnes;
    if (first === undefined) return judge('RESOLVER_UNREACHABLE', { errors: [] });
    if (right === undefined) return this.#explainAllWrong(first);
    const confirmed = await Promise.all(
      all.filter((one) => !rightOnes.includes(one)).map(async (one) => ({ one, overTcp: await this.#confirm(one) })),
    );
    const wrong = confirmed.flatMap(({ one, overTcp }) => (isPublished(overTcp) ? [] : [one]));
    if (wrong.length === 0) {
      const differing = await Promise.all(
        confirmed.map(({ one, overTcp }) => this.#findDifferenceOverUdp(overTcp, one)),
      );
      return differing.find((one) => one !== null) ?? compareWithResolvers(this.#assessor, right.judgement, rightOnes);
    }
    const { onlyInParent, serverNames, zone } = this.#inspection.delegation;
    if (wrong.every(({ exchange }) => onlyInParent.includes(exchange.server.name ?? ''))) {
      const facts = { zone, atRegistrar: onlyInParent, inZone: serverNames.toSorted() };
      return judge('REGISTRAR_NAMES_OTHERS', facts, basisOf(right.judgement));
    }
    return this.#judgeDisagreement(wrong, right.judgement.found ?? [], rightOnes);
  }

  /** Some name servers are wrong. The zone versions show whether a transfer will fix that. */
  async #judgeDisagreement(
    wrong: readonly Assessed[],
    found: readonly string[],
    rightOnes: readonly Assessed[],
  ): Promise<Judgement> {
    const all = [...rightOnes, ...wrong];
    const authorities = await this.#inspection.queryVersions(all.map(({ exchange }) => exchange.server));
    const copies = all.map((one, index): ZoneCopy => {
      const { primary = null, serial = null } = authorities[index] ?? {};
      return { server: one.exchange.server.name ?? '', isRight: rightOnes.includes(one), primary, serial };
    });
    const published = {
      wrong: wrong.map(
        ({ exchange, judgement }) => `${exchange.server.name} has ${judgement.found?.join(', ') || 'none'}`,
      ),
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
    return judge(code, { ...published, at }, { ...basis, ...this.#offerAtOthers(found) });
  }

  /** What the right servers have: the wrong ones may only lack the owner's latest change. */
  #offerAtOthers(found: readonly string[]): { offer?: string | null } {
    const { type, purpose } = this.#inspection.expected;
    if (type !== 'TXT' || purpose === 'text') return {};
    const isOfKind = { spf: isSpf, dmarc: isDmarc, dkim: () => true }[purpose];
    const same = found.filter((text) => isOfKind(text));
    return { offer: same.length === 1 ? (same[0] ?? null) : null };
  }

  async #explainAllWrong(first: Assessed): Promise<Judgement> {
    const confirmed = await this.#confirm(first);
    if (isPublished(confirmed)) {
      return (
        (await this.#findDifferenceOverUdp(confirmed, first)) ?? compareWithResolvers(this.#assessor, confirmed, [])
      );
    }
    const unseen = (await this.#findBrokenDnssec(confirmed)) ?? (await this.#findSplitHorizon(first.exchange));
    if (unseen !== null) return unseen;
    // A record stored as valid may be in the cache of a resolver.
    const kept = this.#inspection.expected.wasValid ? await this.#inspection.queryResolver() : null;
    const cached = await this.#assessor.assess(kept);
    if (kept !== null && cached !== null && isPublished(cached)) {
      const until = kept.at + (cached.ttl ?? 0) * 1000;
      return judge('STILL_CACHED', { until: formatUntil(until, Date.now()) }, { ...basisOf(cached), until });
    }
    return diagnose(this.#assessor, confirmed);
  }

  /** Right over TCP: if the server denies the record over UDP again, the first denial wasn't forged. */
  async #findDifferenceOverUdp(right: Judgement, { exchange }: Assessed): Promise<Judgement | null> {
    const { server, query } = exchange;
    const again = await this.#inspection.conversation.query(server, query, { isRepeated: true });
    const judgement = await this.#assessor.assess(again);
    if (judgement === null || isPublished(judgement)) return null;
    this.#inspection.evidence.push(again);
    return judge('UDP_AND_TCP_DIFFER', { server: server.name ?? '' }, basisOf(right));
  }

  /** Confirms over TCP what is missing or wrong: UDP can be forged. A server without TCP is believed. */
  async #confirm({ exchange, judgement }: Assessed): Promise<Judgement> {
    const again = await this.#inspection.confirmAtServer(exchange);
    const confirmed = await this.#assessor.assess(again);
    if (confirmed === null) return judgement;
    if (confirmed.code !== judgement.code) this.#inspection.evidence.push(again);
    return confirmed;
  }

  /** Checked first: with broken DNSSEC, resolvers see no record at all. */
  async #findBrokenDnssec({ found }: Judgement): Promise<Judgement | null> {
    const { conversation, baseDomain, evidence } = this.#inspection;
    const view = await conversation.resolve(baseDomain, 'NS');
    if (view === null || typeof view.answer === 'string' || view.answer.rcode !== 'SERVFAIL') return null;
    const unchecked = await conversation.resolve(baseDomain, 'NS', { isUnchecked: true });
    if (unchecked === null || toUsableResponse(unchecked) === null) return null;
    evidence.push(view, unchecked);
    return judgeBrokenDnssec(this.#inspection, baseDomain, found, view.answer.reason);
  }

  /** The resolver here may use a private copy of the zone; null if it sees the public one. */
  async #findSplitHorizon(exchange: Exchange): Promise<Judgement | null> {
    const { conversation, baseDomain } = this.#inspection;
    const known = toUsableResponse(exchange)?.authority;
    const seen = known ? toUsableResponse(await conversation.resolve(baseDomain, 'SOA')) : null;
    if (!known || !seen || !isOtherZone(seen, known)) return null;
    const judgement = await this.#assessor.assess(await this.#inspection.queryResolver());
    return judgement !== null && isPublished(judgement) ? judge('SPLIT_HORIZON', {}, basisOf(judgement)) : null;
  }
}
