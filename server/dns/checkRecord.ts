import type { Finding } from '#contract/dnsCheck.ts';
import { isWithin } from '#contract/values/dnsName.ts';
import { assessResponse, formatData } from './assessResponse.ts';
import { findBrokenZone } from './servers/brokenDnssec.ts';
import { decisiveLookUp } from './decisiveLookUp.ts';
import { diagnose } from './diagnose.ts';
import { explainUnasked } from './explainUnasked.ts';
import { formatUntil } from './finding/formatUntil.ts';
import type { ExpectedRecord } from './expectedRecord.ts';
import { limitForSentence } from './finding/limitFinding.ts';
import { Inspection } from './inspection.ts';
import type { SoaAuthority, DnsResponse } from './wire/message.ts';
import { isKeyName, parentOf } from './wire/names.ts';
import { verdictToFinding } from './finding/toFinding.ts';
import { type Exchange, type CheckRun, classifyExchangeError, NOT_SENT, toUsableResponse } from './conversation/conversation.ts';
import { findServerFault } from './servers/serverFaults.ts';
import { classifyDisagreement, type ZoneCopy } from './servers/disagreement.ts';
import { isDmarc } from './dmarc/dmarcRecord.ts';
import { isSpf } from './spf/evaluation/parseSpf.ts';
import { findUnsignedServers } from './servers/unsignedServers.ts';
import { verifyOffer } from './verifyOffer.ts';
import { isPublished, createVerdict, createEmptyVerdict, type Verdict } from './verdict.ts';
/** A finding, and the seconds for which resolvers cache the response. */
export type RecordCheckResult = { finding: Finding; ttl: number };

/** Queries what is published, and finds out why it is not as expected. Failed queries give a finding too. */
export async function checkRecord(run: CheckRun, expected: ExpectedRecord): Promise<RecordCheckResult> {
  const check = new RecordChecker(new Inspection(run, expected));
  const decided = await check.decide();
  const decisive = decisiveLookUp(decided.judgement, expected);
  if (decisive !== null) check.inspection.addLookUpEvidence(decisive.name, decisive.type);
  const verdict = (decisive && (await explainUnasked(check.inspection, decided, decisive))) ?? decided;
  const offered = await verifyOffer(check.inspection, verdict);
  return { finding: verdictToFinding(check.inspection, offered), ttl: verdict.ttl };
}

type ServerVerdict = Verdict & { exchange: Exchange };

class RecordChecker {
  readonly inspection: Inspection;
  /** Verdicts are cached by the records found. */
  readonly #assessed = new Map<string, Promise<Verdict>>();

  constructor(inspection: Inspection) {
    this.inspection = inspection;
  }

  async decide(): Promise<Verdict> {
    const told = await this.inspection.queryAuthoritativeServers();
    return told.length > 0 ? this.#decideFromAuthoritative(told) : this.#decideFromResolver();
  }

  /** The verdict on an exchange; null when its response is not usable. */
  async #assessExchange(exchange: Exchange | null): Promise<Verdict | null> {
    const response = exchange && toUsableResponse(exchange);
    if (response === null) return null;
    const { rcode, answers, authority } = response;
    const records = answers.map(({ name, type, value, priority }) => [name, type, value, priority]);
    const key = JSON.stringify([rcode, records.map((record) => JSON.stringify(record)).toSorted()]);
    const verdict = this.#assessed.get(key) ?? assessResponse(this.inspection, response);
    this.#assessed.set(key, verdict);
    const own = answers.filter(({ name }) => name === this.inspection.expected.name);
    return { ...(await verdict), ttl: own.length > 0 ? Math.min(...own.map(({ ttl }) => ttl)) : (authority?.ttl ?? 0) };
  }

  /** A resolver is queried only when all authoritative servers are right: it would cache a wrong response. */
  async #decideFromAuthoritative(exchanges: readonly Exchange[]): Promise<Verdict> {
    const read = await Promise.all(
      exchanges.map(async (exchange) => ({ exchange, verdict: await this.#assessExchange(exchange) })),
    );
    const told = read.flatMap(({ exchange, verdict }): ServerVerdict[] =>
      verdict === null ? [] : [{ ...verdict, exchange }],
    );
    const [firstTold] = told;
    const rightOnes = told.filter((one) => isPublished(one));
    const [right] = rightOnes;
    if (right === undefined) {
      return firstTold
        ? this.#explainAllWrong(firstTold)
        : createEmptyVerdict('RESOLVER_UNREACHABLE', { troubles: [] });
    }
    const confirmed = await Promise.all(
      told.filter((one) => !isPublished(one)).map(async (one) => ({ one, overTcp: await this.#confirm(one) })),
    );
    const wrong = confirmed.flatMap(({ one, overTcp }) => (isPublished(overTcp) ? [] : [one]));
    if (wrong.length === 0) {
      const differing = await Promise.all(
        confirmed.map(({ one, overTcp }) => this.#findDifferenceOverUdp(overTcp, one)),
      );
      return differing.find((one) => one !== null) ?? this.#compareWithResolvers(right, rightOnes);
    }
    const { onlyInParent, serverNames, zone } = this.inspection.delegation;
    if (wrong.every(({ exchange }) => onlyInParent.includes(exchange.server.name ?? ''))) {
      return createVerdict(right, 'REGISTRAR_NAMES_OTHERS', {
        zone,
        atRegistrar: onlyInParent,
        inZone: serverNames.toSorted(),
      });
    }
    return this.#judgeDisagreement(wrong, right.found, new Set(rightOnes));
  }

  /** Some of the name servers are wrong. Whether a transfer mends that depends on who has which version of the zone. */
  async #judgeDisagreement(
    wrong: readonly ServerVerdict[],
    found: readonly string[],
    rightOnes: ReadonlySet<ServerVerdict>,
  ): Promise<Verdict> {
    const all = [...rightOnes, ...wrong];
    const authorities = await this.inspection.queryVersions(all.map(({ exchange }) => exchange.server));
    const copies = all.map((one, index): ZoneCopy => {
      const { primary = null, serial = null } = authorities[index] ?? {};
      return { server: one.exchange.server.name ?? '', isRight: rightOnes.has(one), primary, serial };
    });
    const published = {
      wrong: wrong.map((one) => `${one.exchange.server.name} has ${one.found.join(', ') || 'none'}`),
      serials: copies.flatMap(({ server, serial }) =>
        serial === null ? [] : `${server} has the zone in version ${serial}`,
      ),
    };
    const disagreement = classifyDisagreement(copies);
    const verdict = { found, ttl: wrong[0]?.ttl ?? 0 };
    if (disagreement.kind === 'transfer') {
      return createVerdict(verdict, 'SOME_NAMESERVERS_WRONG', { ...published, isDue: disagreement.isDue });
    }
    const { kind, at } = disagreement;
    const offer = this.#offerAtOthers(found);
    return kind === 'hosts'
      ? createVerdict(verdict, 'DNS_HOSTS_DIFFER', { ...published, at }, offer)
      : createVerdict(verdict, 'PRIMARY_WRONG', { ...published, at }, offer);
  }

  /** What the right servers have, because the wrong ones may only lack what the owner has added to it. */
  #offerAtOthers(found: readonly string[]): { offer?: string | null } {
    const { type, purpose } = this.inspection.expected;
    if (type !== 'TXT' || purpose === 'text') return {};
    const isOfKind = { spf: isSpf, dmarc: isDmarc, dkim: () => true }[purpose];
    const same = found.filter((text) => isOfKind(text));
    return { offer: same.length === 1 ? (same[0] ?? null) : null };
  }

  async #explainAllWrong(told: ServerVerdict): Promise<Verdict> {
    const confirmed = await this.#confirm(told);
    if (isPublished(confirmed)) {
      return (await this.#findDifferenceOverUdp(confirmed, told)) ?? this.#compareWithResolvers(confirmed, []);
    }
    const unseen = (await this.#findBrokenDnssec(confirmed)) ?? (await this.#findSplitHorizon(told.exchange));
    if (unseen !== null) return unseen;
    // A record stored as valid may be in the cache of a resolver.
    const kept = this.inspection.expected.wasValid ? await this.inspection.queryResolver() : null;
    const verdict = await this.#assessExchange(kept);
    if (kept !== null && verdict !== null && isPublished(verdict)) {
      const until = kept.at + verdict.ttl * 1000;
      return { ...createVerdict(verdict, 'STILL_CACHED', { until: formatUntil(until, Date.now()) }), until };
    }
    return diagnose(this.inspection, confirmed, (exchange) => this.#assessExchange(exchange));
  }

  /** Over TCP the record is right. If the server denies it again over UDP, nobody has forged the first response. */
  async #findDifferenceOverUdp(right: Verdict, { exchange }: ServerVerdict): Promise<Verdict | null> {
    const again = await this.inspection.run.query(exchange.server, exchange.query, { isRepeated: true });
    const verdict = await this.#assessExchange(again);
    if (verdict === null || isPublished(verdict)) return null;
    this.inspection.evidence.push(again);
    return createVerdict(right, 'UDP_AND_TCP_DIFFER', { server: exchange.server.name ?? '' });
  }

  /** What is right over UDP may be wrong over TCP, by which resolvers ask again. A server without TCP says nothing. */
  async #findDifferenceOverTcp(right: Verdict, rightOnes: readonly ServerVerdict[]): Promise<Verdict | null> {
    const { run } = this.inspection;
    const differing = await Promise.all(
      rightOnes.slice(0, OVER_TCP_MAX).map(async ({ exchange }) => {
        const overTcp = await this.inspection.confirmAtServer(exchange);
        const verdict = await this.#assessExchange(overTcp);
        if (verdict === null || isPublished(verdict)) return null;
        // The record may have been changed between the two.
        const again = await this.#assessExchange(
          await run.query(exchange.server, exchange.query, { isRepeated: true }),
        );
        return again === null || isPublished(again) ? { exchange: overTcp, verdict } : null;
      }),
    );
    const first = differing.find((one) => one !== null);
    if (first === undefined || first === null) return null;
    this.inspection.evidence.push(first.exchange);
    const { exchange, verdict } = first;
    return createVerdict(right, 'WRONG_OVER_TCP', {
      server: exchange.server.name ?? '',
      values: limitForSentence(verdict.found),
    });
  }

  /** Confirms over TCP what is missing or wrong: UDP can be forged. A server without TCP is believed. */
  async #confirm({ exchange, ...told }: ServerVerdict): Promise<Verdict> {
    const again = await this.inspection.confirmAtServer(exchange);
    const verdict = await this.#assessExchange(again);
    if (verdict === null) return told;
    if (verdict.judgement.code !== told.judgement.code) this.inspection.evidence.push(again);
    return verdict;
  }

  /** Broken DNSSEC comes first: with it, resolvers see no record at all. */
  async #findBrokenDnssec({ found }: Verdict): Promise<Verdict | null> {
    const { run, baseDomain } = this.inspection;
    const view = await run.resolve(baseDomain, 'NS');
    if (view === null || typeof view.answer === 'string' || view.answer.rcode !== 'SERVFAIL') return null;
    const unchecked = await run.resolve(baseDomain, 'NS', { isUnchecked: true });
    if (unchecked === null || toUsableResponse(unchecked) === null) return null;
    this.inspection.evidence.push(view, unchecked);
    return this.#judgeBrokenDnssec(baseDomain, found, view.answer.reason);
  }

  /** `name` is one that resolvers cannot validate. */
  async #judgeBrokenDnssec(name: string, found: readonly string[], reason: string | null): Promise<Verdict> {
    const { zone, above } = (await findBrokenZone(this.inspection.run, name)) ?? { zone: null, above: null };
    return createVerdict({ found, ttl: 0 }, 'DNSSEC_BOGUS', { broken: zone, above, reason: reason ?? '' });
  }

  /** The verdict when a resolver has the record in a zone of its own; null when it sees the public zone. */
  async #findSplitHorizon(exchange: Exchange): Promise<Verdict | null> {
    const known = toUsableResponse(exchange)?.authority;
    const view = await this.inspection.run.resolve(this.inspection.baseDomain, 'SOA');
    const seen = view && toUsableResponse(view);
    if (!known || !seen || !isOtherZone(seen, known)) return null;
    const verdict = await this.#assessExchange(await this.inspection.queryResolver());
    return verdict !== null && isPublished(verdict) ? createVerdict(verdict, 'SPLIT_HORIZON', {}) : null;
  }

  /** Checks whether all resolvers have the records of the authoritative servers. */
  async #compareWithResolvers(right: Verdict, rightOnes: readonly ServerVerdict[]): Promise<Verdict> {
    const [exchanges, overTcp] = await Promise.all([
      this.inspection.queryEachResolver(),
      this.#findDifferenceOverTcp(right, rightOnes),
    ]);
    const read = await Promise.all(
      exchanges.map(async (exchange) => ({ exchange, verdict: await this.#assessExchange(exchange) })),
    );
    const seen = read.flatMap(({ exchange, verdict }) => {
      const response = toUsableResponse(exchange);
      return verdict === null || response === null ? [] : [{ verdict, response, at: exchange.at }];
    });
    if (seen.length === 0) return this.#judgeResolverError(exchanges.at(-1) ?? null, right);
    const late = seen
      .filter(({ verdict }) => !isPublished(verdict))
      .toSorted((one, other) => other.verdict.ttl - one.verdict.ttl)
      .at(0);
    if (late !== undefined) return this.#judgeStaleResolver(late, right, rightOnes);
    if (right.judgement.code === 'MATCH') {
      if (overTcp !== null) return overTcp;
      const company = await findConflictingRecords(this.inspection);
      if (company !== null) return createVerdict(right, 'CNAME_AND_OTHER', company);
      const { serverFaults } = this.inspection;
      if (serverFaults.length > 0) return createVerdict(right, 'SOME_NAMESERVERS_SILENT', { troubles: serverFaults });
    }
    return right;
  }

  async #judgeStaleResolver(
    { verdict, response, at }: { verdict: Verdict; response: DnsResponse; at: number },
    right: Verdict,
    rightOnes: readonly ServerVerdict[],
  ): Promise<Verdict> {
    const { judgement, found, ttl } = verdict;
    if (isFiltered(response.reason)) return createEmptyVerdict('BLOCKED_BY_FILTER', { reason: response.reason ?? '' });
    const { zone } = this.inspection;
    const known = zone === null ? null : (await this.inspection.queryResponse(zone, 'SOA'))?.authority;
    if (known && isOtherZone(response, known)) return createVerdict({ found, ttl }, 'MISSING_INSIDE', {});
    const company = judgement.code === 'CNAME_AT_NAME' ? await findConflictingRecords(this.inspection) : null;
    if (company !== null) return createVerdict(right, 'CNAME_AND_OTHER', company);
    const denied = response.rcode === 'NXDOMAIN' ? await this.#findDeniedName(rightOnes) : null;
    if (denied !== null) return createVerdict(right, 'NAME_ABOVE_DENIED', denied);
    const until = at + ttl * 1000;
    const code = found.length > 0 ? 'CACHED_OLD_VALUE' : 'CACHED_NEGATIVE';
    return { ...createVerdict({ found, ttl }, code, { until: formatUntil(until, Date.now()) }), until };
  }

  /** A name between the record and its zone that a server denies, so that nothing can be below it (RFC 8020). */
  async #findDeniedName(rightOnes: readonly ServerVerdict[]): Promise<{ above: string; server: string } | null> {
    const { zone, expected, evidence } = this.inspection;
    if (zone === null) return null;
    for (let above = parentOf(expected.name); above !== zone && isWithin(above, zone); above = parentOf(above)) {
      const exchanges = await Promise.all(
        rightOnes
          .slice(0, OVER_TCP_MAX)
          .map(({ exchange }) => this.inspection.queryServer(exchange.server, above, 'A')),
      );
      const denying = exchanges.find((exchange) => toUsableResponse(exchange)?.rcode === 'NXDOMAIN');
      if (denying === undefined) continue;
      evidence.push(denying);
      return { above, server: denying.server.name ?? '' };
    }
    return null;
  }

  /** For when no authoritative server was queried: by option, or because none can be reached or works. */
  async #decideFromResolver(): Promise<Verdict> {
    const { inspection } = this;
    // If the NS query of the domain times out, no other is sent.
    const about = await inspection.run.resolve(inspection.baseDomain, 'NS');
    const isSilent = typeof about?.answer === 'string';
    if (isSilent) inspection.evidence.push(about);
    const exchange = isSilent ? about : await inspection.queryResolver();
    const response = exchange && toUsableResponse(exchange);
    const verdict = await this.#assessExchange(exchange);
    if (response === null || verdict === null) return this.#judgeResolverError(exchange, null);
    if (!inspection.run.trustsResolvers)
      return createEmptyVerdict('NAMESERVERS_UNREACHABLE', { troubles: inspection.serverErrors });
    if (isPublished(verdict)) return this.#withFaultyServers(verdict);
    if (isFiltered(response.reason)) return createEmptyVerdict('BLOCKED_BY_FILTER', { reason: response.reason ?? '' });
    return diagnose(inspection, verdict, (one) => this.#assessExchange(one));
  }

  /**
   * Warns when only resolvers have the right record, and its name servers fail: it will be gone when the caches expire.
   */
  #withFaultyServers(right: Verdict): Verdict {
    const { serverErrors, delegation } = this.inspection;
    const isOurs = delegation.exchanges.some((exchange) => LOCAL_ERRORS.has(classifyExchangeError(exchange)));
    if (right.judgement.code !== 'MATCH' || serverErrors.length === 0 || isOurs) return right;
    return createVerdict(right, 'SOME_NAMESERVERS_SILENT', { troubles: serverErrors });
  }

  /** `right` is the response of the authoritative servers; null when they could not be queried. */
  async #judgeResolverError(exchange: Exchange | null, right: Verdict | null): Promise<Verdict> {
    if (exchange === null) return createEmptyVerdict('RESOLVER_UNREACHABLE', { troubles: [] });
    const { answer } = exchange;
    if (answer === 'too many questions') return createEmptyVerdict('TOO_MANY_QUESTIONS', {});
    if (answer === 'out of time') return createEmptyVerdict('OUT_OF_TIME', {});
    if (answer === 'truncated') return createEmptyVerdict('ANSWER_TOO_LARGE', {});
    if (typeof answer === 'string') return this.#judgeSilentResolver(exchange, right);
    if (isFiltered(answer.reason)) return createEmptyVerdict('BLOCKED_BY_FILTER', { reason: answer.reason ?? '' });
    if (answer.referral !== null)
      return createEmptyVerdict('RESOLVER_FAILS', { answer: 'with a referral to other servers' });
    if (answer.rcode !== 'SERVFAIL') return createEmptyVerdict('RESOLVER_FAILS', { answer: answer.rcode });
    const unchecked = await this.#assessExchange(await this.inspection.queryResolver({ isUnchecked: true }));
    const unsigned = right && (await this.#findUnsigned(right));
    if (unsigned !== null) return unsigned;
    if (unchecked !== null) {
      const { found } = right ?? unchecked;
      return this.#judgeBrokenDnssec(this.inspection.expected.name, found, answer.reason);
    }
    return (
      (await findServerFault(this.inspection, right)) ?? createEmptyVerdict('RESOLVER_FAILS', { answer: 'SERVFAIL' })
    );
  }

  /** Resolvers fail where some of the servers lack the signatures that the DS record asks for. */
  async #findUnsigned(right: Verdict): Promise<Verdict | null> {
    const { run, delegation, evidence } = this.inspection;
    const { servers, exchanges } = await findUnsignedServers(run, delegation.zone, delegation.servers);
    if (servers.length === 0) return null;
    evidence.push(...exchanges);
    return createVerdict(right, 'SOME_UNSIGNED', { servers });
  }

  async #judgeSilentResolver(exchange: Exchange, right: Verdict | null): Promise<Verdict> {
    const control = await this.inspection.run.resolve('', 'NS');
    if (control === null || toUsableResponse(control) === null) {
      if (exchange.isCutOff) return createEmptyVerdict('OUT_OF_TIME', {});
      return createEmptyVerdict('RESOLVER_UNREACHABLE', {
        troubles: [`${exchange.server.address}: ${classifyExchangeError(exchange)}`],
      });
    }
    const nothing = exchange.isCutOff
      ? createEmptyVerdict('OUT_OF_TIME', {})
      : createEmptyVerdict('RESOLVER_FAILS', { answer: 'nothing in time' });
    if (right === null) {
      return (await findServerFault(this.inspection, right)) ?? nothing;
    }
    const slowed = (await findServerFault(this.inspection, right)) ?? (await this.#findUnsigned(right));
    if (slowed !== null) return slowed;
    const { serverFaults } = this.inspection;
    // Resolvers time out at the same servers.
    return serverFaults.length === 0
      ? nothing
      : createVerdict(right, 'SOME_NAMESERVERS_SILENT', { troubles: serverFaults });
  }
}

/** Name servers that are asked over TCP what they have over UDP. */
const OVER_TCP_MAX = 4;

/** Errors that may come from the network of this machine, or from the check itself. */
const LOCAL_ERRORS = new Set(['timeout', 'refused address', 'connection refused', ...NOT_SENT]);

/** Whether a resolver claims authority, or answers from a zone with another primary server than `known`. */
function isOtherZone({ isAuthoritative, authority }: DnsResponse, known: SoaAuthority): boolean {
  return (
    isAuthoritative || (authority !== null && authority.zone === known.zone && authority.primary !== known.primary)
  );
}

/** RFC 8914: blocked, censored, filtered, prohibited. */
function isFiltered(reason: string | null): boolean {
  return /^extended error 1[5-8]\b/.test(reason ?? '');
}

/** Records of the type `other` at the name, which must not exist beside the expected one. */
type ConflictingRecords = { other: string; values: readonly string[] };

/**
 * The record at the name that conflicts with the expected one, when one of them is a CNAME; null when there is none. An
 * authoritative server with both returns the one that is queried.
 */
async function findConflictingRecords(inspection: Inspection): Promise<ConflictingRecords | null> {
  if (!inspection.hasAuthoritativeAnswer) return null;
  const { name, type } = inspection.expected;
  const other = type === 'CNAME' ? typeBehind(inspection.expected) : 'CNAME';
  const own = (await inspection.queryRecords(name, other)).filter((data) => data.name === name);
  const isCompany = own.some((data) => data.type === other) && !own.some((data) => data.type === type);
  if (!isCompany) return null;
  await inspection.addEvidence(name, other);
  return { other, values: own.flatMap((data) => (data.type === other ? [formatData(data)] : [])).toSorted() };
}

/** The type that is queried at the name of a CNAME. */
function typeBehind({ name }: ExpectedRecord): 'TXT' | 'A' {
  return isKeyName(name) ? 'TXT' : 'A';
}
