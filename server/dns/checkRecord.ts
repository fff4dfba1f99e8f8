import type { Finding } from '#contract/dnsCheck.ts';
import type { Ask, Asker, Reply } from './asker.ts';
import { usable } from './authorities.ts';
import { companyOf, lookBeyond } from './beyond.ts';
import { clip, DETAIL_MAX, inSentence } from './boundedFinding.ts';
import { dnsHostOf } from './dnsHost.ts';
import { digLine, evidenceOf } from './evidence.ts';
import type { Expectation } from './expectation.ts';
import { explain } from './explain.ts';
import { resultOf, sentencesOf } from './findings.ts';
import { Inquiry, type Judgement, none } from './inquiry.ts';
import type { Authority, Message } from './message.ts';
import { isRegistry } from './probes.ts';
import { formatData, isPublished, type Reading } from './readReply.ts';

/** What was found out, and for how many seconds resolvers may remember what was found. */
export type Checked = { finding: Finding; ttl: number };

/** Asks what is published, and why it is not what is expected. Never fails: what could not be asked is a result. */
export async function checkRecord(asker: Asker, ask: Ask, expected: Expectation): Promise<Checked> {
  const inquiry = new Inquiry(asker, ask, expected);
  const told = await inquiry.askAuthorities();
  return inWords(inquiry, told.length > 0 ? await fromAuthorities(inquiry, told) : await fromResolver(inquiry));
}

type Told = Reading & { reply: Reply };

/** What the servers in charge say counts; a resolver is asked once they are right, so that it remembers nothing wrong. */
async function fromAuthorities(inquiry: Inquiry, replies: readonly Reply[]): Promise<Judgement> {
  const told = replies.flatMap((reply): Told[] => {
    const reading = inquiry.read(reply);
    return reading === null ? [] : [{ ...reading, reply }];
  });
  const wrong = told.filter(({ code }) => !isPublished(code));
  const firstRight = told.find(({ code }) => isPublished(code));
  const [firstWrong] = wrong;
  if (firstRight === undefined) return firstWrong ? whenAllAreWrong(inquiry, firstWrong) : none('RESOLVER_UNREACHABLE');
  if (wrong.length === 0) return whenAllAreRight(inquiry, firstRight);
  const detail = [...wrong.map(without), ...(await serialsAt(inquiry, replies))].join('; ');
  return { ...firstRight, code: 'SOME_NAMESERVERS_WRONG', detail };
}

function without({ reply, found }: Told): string {
  return `${reply.server.name} ${found.length > 0 ? `has ${found.join(', ')}` : 'has none'}`;
}

async function serialsAt(inquiry: Inquiry, told: readonly Reply[]): Promise<string[]> {
  const { zone } = inquiry;
  const replies = await Promise.all(told.map(({ server }) => inquiry.ask(server, zone, 'SOA')));
  return replies.flatMap((reply) => {
    const serial = usable(reply)?.authority?.serial;
    return serial === undefined ? [] : `${reply.server.name} has the zone in version ${serial}`;
  });
}

async function whenAllAreWrong(inquiry: Inquiry, told: Told): Promise<Judgement> {
  const confirmed = await confirm(inquiry, told);
  if (isPublished(confirmed.code)) return whenAllAreRight(inquiry, confirmed);
  const inside = await onlyInside(inquiry, told.reply);
  if (inside !== null) return inside;
  // What the service found valid a resolver may still know.
  const kept = inquiry.expected.stored ? await inquiry.askResolver() : null;
  const reading = inquiry.read(kept);
  if (kept !== null && reading !== null && isPublished(reading.code)) {
    return { ...reading, code: 'STILL_CACHED', until: kept.at + reading.ttl * 1000 };
  }
  return explain(inquiry, confirmed);
}

/**
 * An answer over UDP can be forged, so nothing is called missing or wrong on its word alone; a name server that does not
 * speak TCP is believed.
 */
async function confirm(inquiry: Inquiry, { reply, ...told }: Told): Promise<Reading> {
  const { name, type } = reply.question;
  const again = await inquiry.ask(reply.server, name, type, true);
  const reading = inquiry.read(again);
  if (reading === null) return told;
  if (reading.code !== told.code) inquiry.evidence.push(again);
  return reading;
}

/** What a resolver has that answers from a zone of its own; null when it sees the zone that everybody sees. */
async function onlyInside(inquiry: Inquiry, reply: Reply): Promise<Judgement | null> {
  const known = usable(reply)?.authority;
  const view = await inquiry.resolve(inquiry.base, 'SOA');
  const seen = view && usable(view);
  if (!known || !seen || !isOtherZone(seen, known)) return null;
  const reading = inquiry.read(await inquiry.askResolver());
  return reading !== null && isPublished(reading.code) ? { ...reading, code: 'SPLIT_HORIZON' } : null;
}

/** Whether a resolver answers in charge, or from a zone whose first server is another than that of `known`. */
function isOtherZone({ isAuthoritative, authority }: Message, known: Authority): boolean {
  return (
    isAuthoritative || (authority !== null && authority.zone === known.zone && authority.primary !== known.primary)
  );
}

/** Do all resolvers see what the servers in charge have? */
async function whenAllAreRight(inquiry: Inquiry, right: Reading): Promise<Judgement> {
  const replies = await inquiry.askEachResolver();
  const seen = replies.flatMap((reply) => {
    const reading = inquiry.read(reply);
    const message = usable(reply);
    return reading === null || message === null ? [] : [{ ...reading, message, at: reply.at }];
  });
  if (seen.length === 0) return whenResolverFails(inquiry, replies.at(-1) ?? null, right);
  const late = seen
    .filter(({ code }) => !isPublished(code))
    .toSorted((one, other) => other.ttl - one.ttl)
    .at(0);
  if (late !== undefined) {
    const { code, found, ttl, message, at } = late;
    if (isFiltered(message.reason)) return none('BLOCKED_BY_FILTER', message.reason ?? '');
    const known = (await inquiry.lookUp(inquiry.zone, 'SOA'))?.authority;
    if (known && isOtherZone(message, known)) return { ...right, code: 'MISSING_INSIDE', found };
    const company = code === 'CNAME_AT_NAME' ? await companyOf(inquiry) : null;
    if (company !== null) return { ...right, code: 'CNAME_AND_OTHER', detail: company };
    const until = at + ttl * 1000;
    return { ...right, code: found.length > 0 ? 'CACHED_OLD_VALUE' : 'CACHED_NEGATIVE', found, ttl, until };
  }
  const beyond = await lookBeyond(inquiry, right);
  const detail = inquiry.untold();
  return beyond.code === 'MATCH' && detail !== '' ? { ...right, code: 'SOME_NAMESERVERS_SILENT', detail } : beyond;
}

/** No server in charge could be asked: they are left alone, cannot be reached from here, or do not work. */
async function fromResolver(inquiry: Inquiry): Promise<Judgement> {
  // Who is silent about the domain is silent about each of its records.
  const about = await inquiry.resolve(inquiry.base, 'SOA');
  const isSilent = about?.answer === 'timeout';
  if (isSilent) inquiry.evidence.push(about);
  const reply = isSilent ? about : await inquiry.askResolver();
  const message = reply && usable(reply);
  const reading = inquiry.read(reply);
  if (message === null || reading === null) return whenResolverFails(inquiry, reply, null);
  if (!inquiry.believesResolvers) return none('NAMESERVERS_UNREACHABLE', inquiry.untold());
  if (isPublished(reading.code)) return lookBeyond(inquiry, reading);
  if (isFiltered(message.reason)) return none('BLOCKED_BY_FILTER', message.reason ?? '');
  return explain(inquiry, reading);
}

/** `right` is what the servers in charge said; null when they could not be asked. */
async function whenResolverFails(inquiry: Inquiry, reply: Reply | null, right: Reading | null): Promise<Judgement> {
  if (reply === null) return none('RESOLVER_UNREACHABLE');
  const { answer } = reply;
  if (answer === 'too many questions') return none('TOO_MANY_QUESTIONS');
  if (answer === 'out of time') return none('OUT_OF_TIME');
  if (answer === 'truncated') return none('ANSWER_TOO_LARGE');
  if (typeof answer === 'string') return whenResolverIsSilent(inquiry, right);
  if (isFiltered(answer.reason)) return none('BLOCKED_BY_FILTER', answer.reason ?? '');
  if (answer.rcode !== 'SERVFAIL') return none('RESOLVER_FAILS', answer.rcode);
  const unchecked = inquiry.read(await inquiry.askResolver(true));
  if (unchecked !== null) {
    return { ...none('DNSSEC_BOGUS', answer.reason ?? ''), found: (right ?? unchecked).found };
  }
  return right === null ? none('NAMESERVERS_FAIL', inquiry.untold()) : none('RESOLVER_FAILS', 'SERVFAIL');
}

async function whenResolverIsSilent(inquiry: Inquiry, right: Reading | null): Promise<Judgement> {
  const control = await inquiry.resolve('', 'NS');
  if (control === null || usable(control) === null) return none('RESOLVER_UNREACHABLE');
  const detail = inquiry.untold();
  if (right === null) return none('NAMESERVERS_FAIL', detail);
  // Resolvers lose their time with the same servers.
  return detail === '' ? none('RESOLVER_FAILS', 'nothing') : { ...right, code: 'SOME_NAMESERVERS_SILENT', detail };
}

/** RFC 8914: blocked, censored, filtered, prohibited. */
function isFiltered(reason: string | null): boolean {
  return /^extended error 1[5-8]\b/.test(reason ?? '');
}

function inWords(inquiry: Inquiry, judgement: Judgement): Checked {
  const { expected, zone, base, serverNames, evidence } = inquiry;
  const { code, found, ttl, detail = '', better, included = [], leftOut = [], foundAt = '', until } = judgement;
  const time = until === undefined ? null : new Date(until).toISOString();
  const facts = {
    expected,
    zone: isRegistry(zone) ? base : zone,
    found: inSentence(found),
    detail: clip(detail, DETAIL_MAX),
    foundAt,
    included: inSentence(included),
    leftOut: inSentence(leftOut),
    host: dnsHostOf(serverNames),
    until: time === null ? '' : `${time.slice(11, 19)} UTC`,
  };
  const finding = {
    result: resultOf(code),
    code,
    expected: formatData(expected),
    found,
    ...sentencesOf(code, facts, better),
    until: time,
    evidence: evidence.map(evidenceOf),
    dig: digLine(evidence.at(-1), expected),
  };
  return { finding, ttl };
}
