import type { Finding } from '#contract/dnsCheck.ts';
import { assess } from './assess.ts';
import { decisiveLookUp } from './decisiveLookUp.ts';
import { explain } from './explain.ts';
import { formatUntil } from './formatUntil.ts';
import type { Expectation } from './expectation.ts';
import { Inspection } from './inspection.ts';
import type { Authority, Response } from './message.ts';
import { present } from './present.ts';
import { type Exchange, type Run, troubleOf, usable } from './run.ts';
import { causeOf } from './serverFaults.ts';
import { safeOffer } from './safeOffer.ts';
import { isPublished, judged, none, type Verdict } from './verdict.ts';
import { companyOf } from './company.ts';

/** What was found out, and for how many seconds resolvers may remember what was found. */
export type Checked = { finding: Finding; ttl: number };

/** Asks what is published, and why it is not what is expected. What could not be asked is a result. */
export async function checkRecord(run: Run, expected: Expectation): Promise<Checked> {
  const check = new RecordCheck(new Inspection(run, expected));
  const verdict = await check.verdict();
  const decisive = decisiveLookUp(verdict.judgement, expected);
  if (decisive !== null) check.inspection.showLookUp(decisive.name, decisive.type);
  const offered = await safeOffer(check.inspection, verdict);
  return { finding: present(check.inspection, offered), ttl: verdict.ttl };
}

type Told = Verdict & { exchange: Exchange };

class RecordCheck {
  readonly inspection: Inspection;
  /** The same records mean the same, whoever has them. */
  readonly #assessed = new Map<string, Promise<Verdict>>();

  constructor(inspection: Inspection) {
    this.inspection = inspection;
  }

  async verdict(): Promise<Verdict> {
    const told = await this.inspection.askAuthorities();
    return told.length > 0 ? this.#fromAuthorities(told) : this.#fromResolver();
  }

  /** What an exchange says about the record; null when it says nothing. */
  async #read(exchange: Exchange | null): Promise<Verdict | null> {
    const response = exchange && usable(exchange);
    if (response === null) return null;
    const { rcode, answers, authority } = response;
    const records = answers.map(({ name, type, value, priority }) => [name, type, value, priority]);
    const key = JSON.stringify([rcode, records.map((record) => JSON.stringify(record)).toSorted()]);
    const verdict = this.#assessed.get(key) ?? assess(this.inspection, response);
    this.#assessed.set(key, verdict);
    const own = answers.filter(({ name }) => name === this.inspection.expected.name);
    return { ...(await verdict), ttl: own.length > 0 ? Math.min(...own.map(({ ttl }) => ttl)) : (authority?.ttl ?? 0) };
  }

  /** What the servers in charge say counts; a resolver is asked once they are right, so that it remembers nothing wrong. */
  async #fromAuthorities(exchanges: readonly Exchange[]): Promise<Verdict> {
    const read = await Promise.all(
      exchanges.map(async (exchange) => ({ exchange, verdict: await this.#read(exchange) })),
    );
    const told = read.flatMap(({ exchange, verdict }): Told[] => (verdict === null ? [] : [{ ...verdict, exchange }]));
    const wrong = told.filter((one) => !isPublished(one));
    const right = told.find((one) => isPublished(one));
    const [firstWrong] = wrong;
    if (right === undefined) {
      return firstWrong ? this.#whenAllAreWrong(firstWrong) : none('RESOLVER_UNREACHABLE', { troubles: [] });
    }
    if (firstWrong === undefined) return this.#whenAllAreRight(right);
    const { onlyAbove, serverNames, zone } = this.inspection.delegation;
    if (wrong.every(({ exchange }) => onlyAbove.includes(exchange.server.name ?? ''))) {
      return judged(right, 'REGISTRAR_NAMES_OTHERS', { zone, atRegistrar: onlyAbove, inZone: serverNames.toSorted() });
    }
    return judged(right, 'SOME_NAMESERVERS_WRONG', {
      wrong: wrong.map(({ exchange, found }) => `${exchange.server.name} has ${found.join(', ') || 'none'}`),
      serials: await this.#serialsAt(exchanges),
    });
  }

  async #serialsAt(told: readonly Exchange[]): Promise<string[]> {
    const { zone } = this.inspection;
    if (zone === null) return [];
    const exchanges = await Promise.all(told.map(({ server }) => this.inspection.ask(server, zone, 'SOA')));
    return exchanges.flatMap((exchange) => {
      const serial = usable(exchange)?.authority?.serial;
      return serial === undefined ? [] : `${exchange.server.name} has the zone in version ${serial}`;
    });
  }

  async #whenAllAreWrong(told: Told): Promise<Verdict> {
    const confirmed = await this.#confirm(told);
    if (isPublished(confirmed)) return this.#whenAllAreRight(confirmed);
    const unseen = (await this.#whenNobodySees(confirmed)) ?? (await this.#onlyInside(told.exchange));
    if (unseen !== null) return unseen;
    // What the service found valid a resolver may still know.
    const kept = this.inspection.expected.stored ? await this.inspection.askResolver() : null;
    const verdict = await this.#read(kept);
    if (kept !== null && verdict !== null && isPublished(verdict)) {
      const until = kept.at + verdict.ttl * 1000;
      return { ...judged(verdict, 'STILL_CACHED', { until: formatUntil(until, Date.now()) }), until };
    }
    return explain(this.inspection, confirmed, (exchange) => this.#read(exchange));
  }

  /**
   * An answer over UDP can be forged, so nothing is called missing or wrong on its word alone; a name server that does not
   * speak TCP is believed.
   */
  async #confirm({ exchange, ...told }: Told): Promise<Verdict> {
    const { name, type } = exchange.query;
    const again = await this.inspection.ask(exchange.server, name, type, true);
    const verdict = await this.#read(again);
    if (verdict === null) return told;
    if (verdict.judgement.code !== told.judgement.code) this.inspection.evidence.push(again);
    return verdict;
  }

  /** Where DNSSEC is broken, that comes first: whatever else is mended, nobody sees it. */
  async #whenNobodySees({ found }: Verdict): Promise<Verdict | null> {
    const { run, base } = this.inspection;
    const view = await run.resolve(base, 'NS');
    if (view === null || typeof view.answer === 'string' || view.answer.rcode !== 'SERVFAIL') return null;
    const unchecked = await run.resolve(base, 'NS', { isUnchecked: true });
    if (unchecked === null || usable(unchecked) === null) return null;
    this.inspection.evidence.push(view, unchecked);
    return judged({ found, ttl: 0 }, 'DNSSEC_BOGUS', { reason: view.answer.reason ?? '' });
  }

  /** What a resolver has that answers from a zone of its own; null when it sees the zone that everybody sees. */
  async #onlyInside(exchange: Exchange): Promise<Verdict | null> {
    const known = usable(exchange)?.authority;
    const view = await this.inspection.run.resolve(this.inspection.base, 'SOA');
    const seen = view && usable(view);
    if (!known || !seen || !isOtherZone(seen, known)) return null;
    const verdict = await this.#read(await this.inspection.askResolver());
    return verdict !== null && isPublished(verdict) ? judged(verdict, 'SPLIT_HORIZON', {}) : null;
  }

  /** Do all resolvers see what the servers in charge have? */
  async #whenAllAreRight(right: Verdict): Promise<Verdict> {
    const exchanges = await this.inspection.askEachResolver();
    const read = await Promise.all(
      exchanges.map(async (exchange) => ({ exchange, verdict: await this.#read(exchange) })),
    );
    const seen = read.flatMap(({ exchange, verdict }) => {
      const response = usable(exchange);
      return verdict === null || response === null ? [] : [{ verdict, response, at: exchange.at }];
    });
    if (seen.length === 0) return this.#whenResolverFails(exchanges.at(-1) ?? null, right);
    const late = seen
      .filter(({ verdict }) => !isPublished(verdict))
      .toSorted((one, other) => other.verdict.ttl - one.verdict.ttl)
      .at(0);
    if (late !== undefined) return this.#whenResolverIsLate(late, right);
    if (right.judgement.code === 'MATCH') {
      const company = await companyOf(this.inspection);
      if (company !== null) return judged(right, 'CNAME_AND_OTHER', company);
      const { troubles } = this.inspection;
      if (troubles.length > 0) return judged(right, 'SOME_NAMESERVERS_SILENT', { troubles });
    }
    return right;
  }

  async #whenResolverIsLate(
    { verdict, response, at }: { verdict: Verdict; response: Response; at: number },
    right: Verdict,
  ): Promise<Verdict> {
    const { judgement, found, ttl } = verdict;
    if (isFiltered(response.reason)) return none('BLOCKED_BY_FILTER', { reason: response.reason ?? '' });
    const { zone } = this.inspection;
    const known = zone === null ? null : (await this.inspection.response(zone, 'SOA'))?.authority;
    if (known && isOtherZone(response, known)) return judged({ found, ttl }, 'MISSING_INSIDE', {});
    const company = judgement.code === 'CNAME_AT_NAME' ? await companyOf(this.inspection) : null;
    if (company !== null) return judged(right, 'CNAME_AND_OTHER', company);
    const until = at + ttl * 1000;
    const code = found.length > 0 ? 'CACHED_OLD_VALUE' : 'CACHED_NEGATIVE';
    return { ...judged({ found, ttl }, code, { until: formatUntil(until, Date.now()) }), until };
  }

  /** No server in charge could be asked: they are left alone, cannot be reached from here, or do not work. */
  async #fromResolver(): Promise<Verdict> {
    const { inspection } = this;
    // Who is silent about the domain is silent about each of its records.
    const about = await inspection.run.resolve(inspection.base, 'NS');
    const isSilent = typeof about?.answer === 'string';
    if (isSilent) inspection.evidence.push(about);
    const exchange = isSilent ? about : await inspection.askResolver();
    const response = exchange && usable(exchange);
    const verdict = await this.#read(exchange);
    if (response === null || verdict === null) return this.#whenResolverFails(exchange, null);
    if (!inspection.run.believesResolvers) return none('NAMESERVERS_UNREACHABLE', { troubles: inspection.troubles });
    if (isPublished(verdict)) return this.#withFaultyServers(verdict);
    if (isFiltered(response.reason)) return none('BLOCKED_BY_FILTER', { reason: response.reason ?? '' });
    return explain(inspection, verdict, (one) => this.#read(one));
  }

  /** What only resolvers find, although the name servers were asked and said something else, may soon be found by nobody. */
  #withFaultyServers(right: Verdict): Verdict {
    const { troubles, delegation } = this.inspection;
    const isOurs = delegation.exchanges.some((exchange) => NOT_THEIRS.has(troubleOf(exchange)));
    if (right.judgement.code !== 'MATCH' || troubles.length === 0 || isOurs) return right;
    return judged(right, 'SOME_NAMESERVERS_SILENT', { troubles });
  }

  /** `right` is what the servers in charge said; null when they could not be asked. */
  async #whenResolverFails(exchange: Exchange | null, right: Verdict | null): Promise<Verdict> {
    if (exchange === null) return none('RESOLVER_UNREACHABLE', { troubles: [] });
    const { answer } = exchange;
    if (answer === 'too many questions') return none('TOO_MANY_QUESTIONS', {});
    if (answer === 'out of time') return none('OUT_OF_TIME', {});
    if (answer === 'truncated') return none('ANSWER_TOO_LARGE', {});
    if (typeof answer === 'string') return this.#whenResolverIsSilent(exchange, right);
    if (isFiltered(answer.reason)) return none('BLOCKED_BY_FILTER', { reason: answer.reason ?? '' });
    if (answer.referral !== null) return none('RESOLVER_FAILS', { answer: 'with a referral to other servers' });
    if (answer.rcode !== 'SERVFAIL') return none('RESOLVER_FAILS', { answer: answer.rcode });
    const unchecked = await this.#read(await this.inspection.askResolver({ isUnchecked: true }));
    if (unchecked !== null) {
      const { found } = right ?? unchecked;
      return judged({ found, ttl: 0 }, 'DNSSEC_BOGUS', { reason: answer.reason ?? '' });
    }
    return (await causeOf(this.inspection, right)) ?? none('RESOLVER_FAILS', { answer: 'SERVFAIL' });
  }

  async #whenResolverIsSilent(exchange: Exchange, right: Verdict | null): Promise<Verdict> {
    const control = await this.inspection.run.resolve('', 'NS');
    if (control === null || usable(control) === null) {
      return none('RESOLVER_UNREACHABLE', { troubles: [`${exchange.server.address}: ${troubleOf(exchange)}`] });
    }
    if (right === null) {
      return (await causeOf(this.inspection, right)) ?? none('RESOLVER_FAILS', { answer: 'nothing in time' });
    }
    const slowed = await causeOf(this.inspection, right);
    if (slowed !== null) return slowed;
    const { troubles } = this.inspection;
    // Resolvers lose their time with the same servers.
    return troubles.length === 0
      ? none('RESOLVER_FAILS', { answer: 'nothing in time' })
      : judged(right, 'SOME_NAMESERVERS_SILENT', { troubles });
  }
}

/** May come from the network of this machine, or from the check itself. */
const NOT_THEIRS = new Set([
  'timeout',
  'no route',
  'refused address',
  'connection refused',
  'too many questions',
  'out of time',
]);

/** Whether a resolver answers in charge, or from a zone whose first server is another than that of `known`. */
function isOtherZone({ isAuthoritative, authority }: Response, known: Authority): boolean {
  return (
    isAuthoritative || (authority !== null && authority.zone === known.zone && authority.primary !== known.primary)
  );
}

/** RFC 8914: blocked, censored, filtered, prohibited. */
function isFiltered(reason: string | null): boolean {
  return /^extended error 1[5-8]\b/.test(reason ?? '');
}
