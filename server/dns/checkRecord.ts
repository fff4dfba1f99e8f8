import type { Finding } from '#contract/dnsCheck.ts';
import { clip, DETAIL_MAX, inSentence } from './boundedFinding.ts';
import { digLine, evidenceOf } from './evidence.ts';
import { askAuthorities, askResolvers, type Authoritative, reasonOf, serverNamed, usable } from './authorities.ts';
import type { Ask, Asker, Reply } from './asker.ts';
import { dnsHostOf } from './dnsHost.ts';
import type { Expectation } from './expectation.ts';
import { type Code, resultOf, sentencesOf } from './findings.ts';
import type { Authority, Data, Message } from './message.ts';
import { dnsName, isWithin, parentOf } from './names.ts';
import { insteadOfCname, isRegistry, misplacedNames, wildcardProbe } from './probes.ts';
import { formatData, isPublished, type Reading, readReply } from './readReply.ts';
import { spfFault } from './spfLookups.ts';

/** What the replies came to, before it is put in words. */
type Judgement = Reading & { foundAt?: string; until?: number };

const CHAIN_MAX = 8;

/** What was found out, and for how many seconds resolvers may remember what was found. */
export type Checked = { finding: Finding; ttl: number };

/** Asks what is published, and why it is not what is expected. Never fails: what could not be asked is a result. */
export async function checkRecord(asker: Asker, ask: Ask, expected: Expectation): Promise<Checked> {
  const check = new Check(asker, ask, expected);
  return check.run();
}

class Check {
  readonly #asker: Asker;
  readonly #ask: Ask;
  readonly #expected: Expectation;
  /** The names a record is searched below: the MAIL FROM name may lie outside the sending domain. */
  readonly #base: string;
  readonly #evidence: Reply[] = [];
  #authoritative: Authoritative = { zone: '', serverNames: [], replies: [] };

  constructor(asker: Asker, ask: Ask, expected: Expectation) {
    this.#asker = asker;
    this.#ask = ask;
    this.#expected = expected;
    const { name, domain } = expected;
    this.#base = isWithin(name, domain) ? domain : parentOf(name);
  }

  async run(): Promise<Checked> {
    const { name, type } = this.#expected;
    this.#authoritative = await askAuthorities(this.#asker, this.#ask, this.#base, name, type);
    this.#evidence.push(...this.#authoritative.replies);
    const told = this.#authoritative.replies.filter((reply) => usable(reply) !== null);
    return this.#inWords(told.length > 0 ? await this.#fromAuthorities(told) : await this.#fromResolver());
  }

  /** What the servers in charge say counts; a resolver is asked once they are right, so that it remembers nothing wrong. */
  async #fromAuthorities(told: readonly Reply[]): Promise<Judgement> {
    const readings = told.map((reply) => ({ reply, ...this.#read(reply) }));
    const firstRight = readings.find(({ code }) => isPublished(code));
    const wrong = readings.filter(({ code }) => !isPublished(code));
    const firstWrong = wrong.at(0);
    if (firstRight === undefined) {
      if (firstWrong === undefined) return none('RESOLVER_UNREACHABLE');
      const confirmed = await this.#confirmed(firstWrong.reply);
      if (isPublished(confirmed.code)) return this.#spread(confirmed);
      const inside = await this.#insideOnly(firstWrong.reply);
      if (inside !== null) return inside;
      // What the service found valid a resolver may still know.
      const kept = this.#expected.stored ? await this.#askResolvers() : null;
      const reading = kept === null || usable(kept) === null ? null : this.#read(kept);
      if (kept !== null && reading !== null && isPublished(reading.code)) {
        return { ...reading, code: 'STILL_CACHED', until: kept.at + reading.ttl * 1000 };
      }
      return this.#explain(confirmed);
    }
    if (wrong.length > 0) {
      const detail = [...wrong.map((reading) => this.#without(reading)), ...(await this.#serials(told))].join('; ');
      return { ...firstRight, code: 'SOME_NAMESERVERS_WRONG', detail };
    }
    return this.#spread(firstRight);
  }

  /**
   * An answer over UDP can be forged, so nothing is called missing or wrong on its word alone; a name server that does not
   * speak TCP is believed.
   */
  async #confirmed(reply: Reply): Promise<Reading> {
    const again = await this.#ask(reply.server, { ...reply.question, isTcp: true });
    if (usable(again) === null) return this.#read(reply);
    const reading = this.#read(again);
    if (reading.code !== this.#read(reply).code) this.#evidence.push(again);
    return reading;
  }

  /** What a resolver has that answers from a zone of its own; null when it sees the zone that everybody sees. */
  async #insideOnly(reply: Reply): Promise<Judgement | null> {
    const known = usable(reply)?.authority;
    const view = await askResolvers(this.#asker, this.#ask, this.#base, 'SOA');
    const seen = view && usable(view);
    if (!known || !seen || !isOtherZone(seen, known)) return null;
    const own = await this.#askResolvers();
    const reading = own === null ? null : this.#read(own);
    return reading !== null && isPublished(reading.code) ? { ...reading, code: 'SPLIT_HORIZON' } : null;
  }

  #without({ reply, found }: Reading & { reply: Reply }): string {
    return `${reply.server.name} ${found.length > 0 ? `has ${found.join(', ')}` : 'has none'}`;
  }

  async #serials(told: readonly Reply[]): Promise<string[]> {
    const { zone } = this.#authoritative;
    const replies = await Promise.all(
      told.map(({ server }) => this.#ask(server, { name: zone, type: 'SOA', isRecursive: false })),
    );
    return replies.flatMap((reply) => {
      const serial = usable(reply)?.authority?.serial;
      return serial === undefined ? [] : `${reply.server.name} has the zone in version ${serial}`;
    });
  }

  /** The servers in charge are right: do all resolvers see it? */
  async #spread(right: Reading): Promise<Judgement> {
    const { name, type } = this.#expected;
    const replies = await Promise.all(
      this.#asker.resolvers.map((resolver) => this.#ask(resolver, { name, type, isRecursive: true })),
    );
    this.#evidence.push(...replies);
    const seen = replies.flatMap((reply) => {
      const message = usable(reply);
      return message === null ? [] : [{ at: reply.at, message, ...this.#read(reply) }];
    });
    if (seen.length === 0) return this.#resolverFails(replies.at(-1) ?? null, right);
    const late = seen
      .filter(({ code }) => !isPublished(code))
      .toSorted((one, other) => other.ttl - one.ttl)
      .at(0);
    if (late !== undefined) {
      const { reason } = late.message;
      if (isFiltered(reason)) return { ...none('BLOCKED_BY_FILTER'), detail: reason ?? '' };
      if (await this.#isInside(late.message)) return { ...right, code: 'MISSING_INSIDE', found: late.found };
      if (late.code === 'CNAME_AT_NAME' && (await this.#hasBoth())) return bothAt(right, 'CNAME');
      const code = late.found.length > 0 ? 'CACHED_OLD_VALUE' : 'CACHED_NEGATIVE';
      return { ...right, code, found: late.found, ttl: late.ttl, until: late.at + late.ttl * 1000 };
    }
    const beyond = await this.#beyond(right);
    const silent = this.#silent();
    return beyond.code === 'MATCH' && silent !== ''
      ? { ...right, code: 'SOME_NAMESERVERS_SILENT', detail: silent }
      : beyond;
  }

  /** The name servers that were asked and did not tell, with what they said instead. */
  #silent(): string {
    return this.#authoritative.replies
      .filter((reply) => usable(reply) === null)
      .map(reasonOf)
      .join('; ');
  }

  /** Whether a resolver that does not have the record answers from a zone of its own. */
  async #isInside(message: Message): Promise<boolean> {
    const reply = await this.#lookUp(this.#authoritative.zone, 'SOA');
    const known = (reply && usable(reply))?.authority;
    return known ? isOtherZone(message, known) : false;
  }

  /** A record that is right in itself may lead to something that is not. */
  async #beyond(right: Judgement): Promise<Judgement> {
    const { type, name, value, purpose } = this.#expected;
    if (right.code !== 'MATCH') return right;
    if (await this.#hasBoth()) return bothAt(right, type === 'CNAME' ? this.#typeBehind() : 'CNAME');
    if (type === 'CNAME') {
      const reply = await askResolvers(this.#asker, this.#ask, value, this.#typeBehind());
      if (reply !== null && usable(reply)?.rcode === 'NXDOMAIN') return { ...right, code: 'TARGET_NOT_THERE' };
    }
    if (purpose === 'spf') {
      const fault = await spfFault(right.found, name, (host, kind) => askResolvers(this.#asker, this.#ask, host, kind));
      if (fault !== null) return { ...right, ...fault };
    }
    return right;
  }

  /** What those who use a CNAME ask for at its name. */
  #typeBehind(): 'TXT' | 'A' {
    return this.#expected.name.includes('._domainkey.') ? 'TXT' : 'A';
  }

  /**
   * Whether a server in charge has a CNAME and other records at the name, which no proper server has: it says the one or
   * the other, as it is asked.
   */
  async #hasBoth(): Promise<boolean> {
    const { name, type } = this.#expected;
    if (!this.#authoritative.replies.some((reply) => usable(reply) !== null)) return false;
    const other = type === 'CNAME' ? this.#typeBehind() : 'CNAME';
    const reply = await this.#lookUp(name, other);
    const own = ((reply && usable(reply))?.answers ?? []).filter((data) => data.name === name);
    return own.some((data) => data.type === other) && !own.some((data) => data.type === type);
  }

  /** No server in charge could be asked: they are left alone, cannot be reached from here, or do not work. */
  async #fromResolver(): Promise<Judgement> {
    const { name, type } = this.#expected;
    // Who is silent about the domain is silent about each of its records.
    const about = await askResolvers(this.#asker, this.#ask, this.#base, 'SOA');
    const reply = about?.answer === 'timeout' ? about : await askResolvers(this.#asker, this.#ask, name, type);
    if (reply !== null) this.#evidence.push(reply);
    const message = reply && usable(reply);
    if (reply === null || message === null) return this.#resolverFails(reply, null);
    if (!this.#asker.believesResolvers) {
      return { ...none('NAMESERVERS_UNREACHABLE'), detail: this.#authoritative.replies.map(reasonOf).join('; ') };
    }
    const reading = this.#read(reply);
    if (isPublished(reading.code)) return this.#beyond(reading);
    if (isFiltered(message.reason)) return { ...none('BLOCKED_BY_FILTER'), detail: message.reason ?? '' };
    const zone = message.authority?.zone ?? (this.#authoritative.zone || this.#base);
    this.#authoritative = { ...this.#authoritative, zone };
    return this.#explain(reading);
  }

  /** `right` is what the servers in charge said; null when they could not be asked. */
  async #resolverFails(reply: Reply | null, right: Reading | null): Promise<Judgement> {
    if (reply === null) return none('RESOLVER_UNREACHABLE');
    const { answer } = reply;
    if (answer === 'too many questions') return none('TOO_MANY_QUESTIONS');
    if (answer === 'out of time') return none('OUT_OF_TIME');
    if (answer === 'truncated') return none('ANSWER_TOO_LARGE');
    const detail = this.#authoritative.replies.map(reasonOf).join('; ');
    if (typeof answer === 'string') {
      const control = await askResolvers(this.#asker, this.#ask, '', 'NS');
      if (control === null || usable(control) === null) return none('RESOLVER_UNREACHABLE');
      if (right === null) return { ...none('NAMESERVERS_FAIL'), detail };
      // Resolvers lose their time with the same servers.
      const silent = this.#silent();
      return silent === ''
        ? { ...none('RESOLVER_FAILS'), detail: 'nothing' }
        : { ...right, code: 'SOME_NAMESERVERS_SILENT', detail: silent };
    }
    if (isFiltered(answer.reason)) return { ...none('BLOCKED_BY_FILTER'), detail: answer.reason ?? '' };
    if (answer.rcode !== 'SERVFAIL') return { ...none('RESOLVER_FAILS'), detail: answer.rcode };
    const { name, type } = this.#expected;
    const unchecked = await askResolvers(this.#asker, this.#ask, name, type, true);
    if (unchecked !== null) this.#evidence.push(unchecked);
    if (unchecked !== null && usable(unchecked) !== null) {
      return {
        ...none('DNSSEC_BOGUS'),
        detail: answer.reason ?? '',
        found: right?.found ?? this.#read(unchecked).found,
      };
    }
    return right === null ? { ...none('NAMESERVERS_FAIL'), detail } : { ...none('RESOLVER_FAILS'), detail: 'SERVFAIL' };
  }

  /** The record is missing or wrong: why? */
  async #explain(reading: Reading): Promise<Judgement> {
    const { zone } = this.#authoritative;
    if (reading.code === 'NAME_MISSING' && zone !== this.#base && isRegistry(zone)) return none('DOMAIN_NOT_DELEGATED');
    if (reading.code.endsWith('_MISSING')) return this.#explainMissing(reading);
    if (['WRONG_TARGET', 'CNAME_AT_NAME'].includes(reading.code)) {
      const followed = (await this.#follow(reading)) ?? (await this.#reached(reading));
      if (followed !== null) return followed;
    }
    return (await this.#isWildcard(reading)) ? { ...reading, code: 'WILDCARD_ANSWERS' } : reading;
  }

  /** Whether a name that nobody has answers as this one does. */
  async #isWildcard({ found }: Reading): Promise<boolean> {
    const sibling = await this.#look(wildcardProbe(this.#expected.name, this.#ask.unusedLabel));
    return sibling?.found.join() === found.join();
  }

  async #explainMissing(reading: Reading): Promise<Judgement> {
    if (this.#expected.type === 'CNAME' && reading.code === 'RECORD_MISSING') {
      const instead = await this.#instead(reading);
      if (instead !== null) return instead;
    }
    for (const probe of misplacedNames(this.#expected, this.#authoritative.zone)) {
      const there = await this.#look(probe.name);
      if (there !== null && isPublished(there.code))
        return { ...there, ttl: reading.ttl, code: probe.code, foundAt: probe.name };
    }
    if (reading.found.length > 0) {
      return (await this.#isWildcard(reading)) ? { ...reading, code: 'WILDCARD_ANSWERS' } : reading;
    }
    return (await this.#elsewhere(reading)) ?? reading;
  }

  /** What is at the name in place of the CNAME; null when nothing is. */
  async #instead(reading: Reading): Promise<Judgement | null> {
    const records: Data[] = [];
    for (const types of [['TXT', 'A'] as const, ['AAAA', 'MX'] as const]) {
      const replies = await Promise.all(types.map((type) => this.#lookUp(this.#expected.name, type)));
      records.push(...replies.flatMap((reply) => (reply && usable(reply))?.answers ?? []));
    }
    const isAtCloudflare = this.#authoritative.serverNames.some((server) => server.endsWith('.ns.cloudflare.com'));
    // A flattened alias of a name without addresses leaves nothing behind but its name.
    if (records.length === 0 && isAtCloudflare) return { ...reading, code: 'CNAME_FLATTENED' };
    const instead = insteadOfCname(this.#expected, records, isAtCloudflare);
    return instead && { ...reading, ...instead, found: instead.found.map(formatData).toSorted() };
  }

  /** The record at the server that the zone calls its first, when that one is not in charge; null when it has none. */
  async #elsewhere(reading: Reading): Promise<Judgement | null> {
    const { replies, serverNames } = this.#authoritative;
    const primary = replies.map((reply) => usable(reply)?.authority?.primary).find((name) => name !== undefined);
    if (primary === undefined || serverNames.includes(primary) || dnsName(primary) === null) return null;
    const server = await serverNamed(this.#asker, this.#ask, primary);
    if (server === null) return null;
    const { name, type } = this.#expected;
    const reply = await this.#ask(server, { name, type, isRecursive: false });
    const there = usable(reply) === null ? null : this.#read(reply);
    if (there === null || !isPublished(there.code)) return null;
    this.#evidence.push(reply);
    return { ...there, ttl: reading.ttl, code: 'EDITED_AT_WRONG_HOST', foundAt: primary };
  }

  /** Where a wrong target leads to: in a circle, or to the right one after all; null when neither. */
  async #follow(reading: Reading): Promise<Judgement | null> {
    const { name, value, type } = this.#expected;
    if (type !== 'CNAME' && reading.code !== 'CNAME_AT_NAME') return null;
    const steps = new Set([name]);
    let at = reading.found[0]?.toLowerCase() ?? '';
    while (at !== '' && steps.size < CHAIN_MAX) {
      if (steps.has(at)) return { ...reading, code: 'CNAME_LOOP' };
      if (type === 'CNAME' && at === value) return { ...reading, code: 'CNAME_CHAIN' };
      steps.add(at);
      const reply = await this.#lookUp(at, 'CNAME');
      const next = (reply && usable(reply))?.answers.find((data) => data.type === 'CNAME' && data.name === at);
      at = next?.value.toLowerCase() ?? '';
    }
    return null;
  }

  /** An authority does not follow an alias out of its zone, as a resolver does; null when that is not the right text either. */
  async #reached({ code }: Reading): Promise<Reading | null> {
    if (code !== 'CNAME_AT_NAME' || this.#expected.type !== 'TXT') return null;
    const reply = await this.#askResolvers();
    const reading = reply === null ? null : this.#read(reply);
    return reading !== null && isPublished(reading.code) ? reading : null;
  }

  #read(reply: Reply): Reading {
    const message = usable(reply);
    if (message === null) return none('RESOLVER_UNREACHABLE');
    return readReply(this.#expected, message, this.#authoritative.zone);
  }

  async #askResolvers(): Promise<Reply | null> {
    const { name, type } = this.#expected;
    const reply = await askResolvers(this.#asker, this.#ask, name, type);
    if (reply !== null) this.#evidence.push(reply);
    return reply;
  }

  /** What another name holds of what is expected. */
  async #look(name: string): Promise<Reading | null> {
    const reply = await this.#lookUp(name, this.#expected.type);
    const message = reply && usable(reply);
    return message === null ? null : readReply({ ...this.#expected, name }, message, this.#authoritative.zone);
  }

  /** Asks one server in charge, or a resolver where none can be asked. */
  async #lookUp(name: string, type: Reply['question']['type']): Promise<Reply | null> {
    const { zone, replies: known } = this.#authoritative;
    const inCharge = known.find((reply) => usable(reply) !== null)?.server;
    if (inCharge !== undefined && isWithin(name, zone)) {
      const reply = await this.#ask(inCharge, { name, type, isRecursive: false });
      if (usable(reply) !== null) return reply;
    }
    const base = isWithin(name, this.#base) ? this.#base : zone;
    // Where none of them answered, each question would only cost the time it takes to find that out again.
    if (inCharge !== undefined && isWithin(name, base)) {
      const { replies } = await askAuthorities(this.#asker, this.#ask, base, name, type, 'first');
      const told = replies.find((reply) => usable(reply) !== null);
      if (told !== undefined) return told;
    }
    return askResolvers(this.#asker, this.#ask, name, type);
  }

  #inWords({ code, found, ttl, detail = '', better, foundAt = '', until }: Judgement): Checked {
    const time = until === undefined ? null : new Date(until).toISOString();
    const { zone, serverNames } = this.#authoritative;
    const facts = {
      expected: this.#expected,
      zone: zone === '' || isRegistry(zone) ? this.#base : zone,
      found: inSentence(found),
      detail: clip(detail, DETAIL_MAX),
      foundAt,
      host: dnsHostOf(serverNames),
      until: time === null ? '' : `${time.slice(11, 19)} UTC`,
    };
    const finding = {
      result: resultOf(code),
      code,
      expected: formatData(this.#expected),
      found,
      ...sentencesOf(code, facts, better),
      until: time,
      evidence: this.#evidence.map(evidenceOf),
      dig: digLine(this.#evidence.at(-1), this.#expected),
    };
    return { finding, ttl };
  }
}

function none(code: Code): Reading {
  return { code, found: [], ttl: 0 };
}

function bothAt(right: Reading, type: string): Judgement {
  return { ...right, code: 'CNAME_AND_OTHER', detail: type };
}

/** Whether a resolver answers in charge, or from a zone whose first server is another than that of `known`. */
function isOtherZone({ isAuthoritative, authority }: Message, known: Authority): boolean {
  return (
    isAuthoritative || (authority !== null && authority.zone === known.zone && authority.primary !== known.primary)
  );
}

/** RFC 8914: blocked, censored, filtered, prohibited. */
function isFiltered(reason: string | null): boolean {
  return /^extended error 1[5-8]\b/.test(reason ?? '');
}
