import { assess } from './assessResponse.ts';
import { basisOf, isPublished, judge, type Judgement } from './catalogue/catalogue.ts';
import {
  classifyExchangeError,
  type Exchange,
  NOT_SENT,
  toUsableResponse,
  NOT_ASKED,
} from './conversation/exchange.ts';
import { diagnose } from './diagnose.ts';
import type { Inspection } from './inspection.ts';
import { findBrokenZone } from './servers/brokenDnssec.ts';
import { findUnsignedServers } from './servers/delegationAdvice.ts';
import type { DnsResponse, SoaAuthority } from './wire/message.ts';

/** Errors that may come from the network of this machine, or from the check itself. */
const LOCAL_ERRORS = new Set(['timeout', 'refused address', 'connection refused', ...NOT_SENT]);

/** For when no authoritative server has responded: by option, or because none can be reached or works. */
export async function judgeFromResolver(inspection: Inspection): Promise<Judgement> {
  const { conversation, serverErrors, delegation } = inspection;
  // If the NS query of the domain times out, no other is sent.
  const about = await conversation.resolve(inspection.baseDomain, 'NS');
  const isSilent = typeof about?.answer === 'string';
  if (isSilent) inspection.evidence.push(about);
  const exchange = isSilent ? about : await inspection.queryResolver();
  const response = toUsableResponse(exchange);
  const judgement = await assess(inspection, exchange);
  if (response === null || judgement === null) return judgeResolverError(inspection, exchange, null);
  const errors = serverErrors.all;
  if (conversation.client.authoritativeMode === 'on') return judge('NAMESERVERS_UNREACHABLE', { errors });
  if (!isPublished(judgement)) {
    return isFiltered(response)
      ? judge('BLOCKED_BY_FILTER', { reason: response.reason ?? '' })
      : diagnose(inspection, judgement);
  }
  // When the name servers fail, the record will be gone when the caches expire.
  const isOurs = delegation.exchanges.some((one) => LOCAL_ERRORS.has(classifyExchangeError(one)));
  if (judgement.code !== 'MATCH' || errors.length === 0 || isOurs) return judgement;
  return judge('SOME_NAMESERVERS_SILENT', { errors }, basisOf(judgement));
}

/** `right` is about the authoritative servers; null when none has responded. */
export async function judgeResolverError(
  inspection: Inspection,
  exchange: Exchange | null,
  right: Judgement | null,
): Promise<Judgement> {
  if (exchange === null) return judge('RESOLVER_UNREACHABLE', { errors: [] });
  const { answer } = exchange;
  if (answer === 'too many questions') return judge('TOO_MANY_QUESTIONS', {});
  if (answer === 'out of time') return judge('OUT_OF_TIME', {});
  if (answer === 'truncated') return judge('ANSWER_TOO_LARGE', {});
  if (typeof answer === 'string') return judgeSilentResolver(inspection, exchange, right);
  if (isFiltered(answer)) return judge('BLOCKED_BY_FILTER', { reason: answer.reason ?? '' });
  if (answer.referral !== null) return judge('RESOLVER_FAILS', { answer: 'with a referral to other servers' });
  if (answer.rcode !== 'SERVFAIL') return judge('RESOLVER_FAILS', { answer: answer.rcode });
  const unchecked = await assess(inspection, await inspection.queryResolver({ isUnchecked: true }));
  const unsigned = right && (await findUnsigned(inspection, right));
  if (unsigned !== null) return unsigned;
  if (unchecked !== null) {
    return judgeBrokenDnssec(inspection, inspection.expected.name, (right ?? unchecked).found, answer.reason);
  }
  return (await judgeServerErrors(inspection, right)) ?? judge('RESOLVER_FAILS', { answer: 'SERVFAIL' });
}

/** Resolvers fail where some of the servers lack the signatures that the DS record asks for. */
async function findUnsigned(
  { conversation, delegation, evidence }: Inspection,
  right: Judgement,
): Promise<Judgement | null> {
  const { servers, exchanges } = await findUnsignedServers(conversation, delegation.zone, delegation.servers);
  if (servers.length === 0) return null;
  evidence.push(...exchanges);
  return judge('SOME_UNSIGNED', { servers }, basisOf(right));
}

async function judgeSilentResolver(
  inspection: Inspection,
  exchange: Exchange,
  right: Judgement | null,
): Promise<Judgement> {
  const control = await inspection.conversation.resolve('', 'NS');
  const isSilent = toUsableResponse(control) === null;
  const nothing = exchange.isCutOff
    ? judge('OUT_OF_TIME', {})
    : isSilent
      ? judge('RESOLVER_UNREACHABLE', {
          errors: [{ server: exchange.server.address, error: classifyExchangeError(exchange) }],
        })
      : judge('RESOLVER_FAILS', { answer: 'nothing in time' });
  if (isSilent) return nothing;
  const slowed = (await judgeServerErrors(inspection, right)) ?? (right && (await findUnsigned(inspection, right)));
  if (slowed !== null) return slowed;
  // Resolvers time out at the same servers.
  const { theirs: errors } = inspection.serverErrors;
  return right !== null && errors.length > 0 ? judge('SOME_NAMESERVERS_SILENT', { errors }, basisOf(right)) : nothing;
}

/** `name` is one that resolvers cannot validate. */
export async function judgeBrokenDnssec(
  { conversation }: Inspection,
  name: string,
  found: readonly string[] | undefined,
  reason: string | null,
): Promise<Judgement> {
  const { zone: broken, above } = (await findBrokenZone(conversation, name)) ?? { zone: null, above: null };
  return judge('DNSSEC_BOGUS', { broken, above, reason: reason ?? '' }, { found });
}

/** Whether a resolver claims authority, or answers from a zone with another primary server than `known`. */
export function isOtherZone({ isAuthoritative, authority }: DnsResponse, known: SoaAuthority): boolean {
  return (
    isAuthoritative || (authority !== null && authority.zone === known.zone && authority.primary !== known.primary)
  );
}

/** RFC 8914: blocked, censored, filtered, prohibited. */
export function isFiltered({ reason }: DnsResponse): boolean {
  return /^extended error 1[5-8]\b/.test(reason ?? '');
}

/** Responses of a name server that does not have the zone. It may also refer to another one. */
const NOT_IN_CHARGE = ['REFUSED', 'NOTAUTH', 'not in charge'];

/** Why resolvers cannot resolve a name; null when nothing explains it. `right` is a response that is right. */
async function judgeServerErrors(inspection: Inspection, right: Judgement | null): Promise<Judgement | null> {
  const { delegation, baseDomain } = inspection;
  const { all: errors } = inspection.serverErrors;
  const { exchanges, servers, serverNames, withoutAddress, parentDelegation } = delegation;
  const zone = delegation.zone || baseDomain;
  if (right !== null) {
    const bare = exchanges
      .filter((exchange) => toUsableResponse(exchange)?.isWithoutEdns)
      .map(({ server }) => server.name ?? '');
    return bare.length > 0 ? judge('NAMESERVERS_DROP_EDNS', { servers: bare }, basisOf(right)) : null;
  }
  if (servers.length === 0) {
    return withoutAddress.length > 0 ? judge('NAMESERVERS_WITHOUT_ADDRESS', { zone, names: serverNames }) : null;
  }
  // Too many referrals.
  if (exchanges.length === 0) return null;
  const did = (...kinds: readonly string[]) =>
    exchanges.every((exchange) => kinds.includes(classifyExchangeError(exchange)));
  const addresses = servers.map(({ name, address }) => ({ server: name ?? '', address }));
  if (did('refused address')) return judge('NAMESERVERS_PRIVATE', { zone, servers: addresses });
  if (did('no route')) return judge('NAMESERVERS_NO_ROUTE', { zone, servers: addresses });
  if (did('truncated')) return judge('NAMESERVERS_WITHOUT_TCP', { zone, errors });
  if (did(...NOT_IN_CHARGE)) {
    const isBelowDomain = zone !== baseDomain && zone.endsWith(`.${baseDomain}`);
    return judge('LAME_DELEGATION', {
      zone,
      above: parentDelegation?.zone ?? '',
      isBelowDomain,
      errors,
    });
  }
  const isMissing = withoutAddress.map((server) => ({ server, error: 'no address' }));
  if (did(...NOT_ASKED)) return judge('OUT_OF_TIME', {});
  if (did('timeout', 'garbled', 'no route', ...NOT_ASKED)) {
    return judge('NAMESERVERS_SILENT', { zone, errors: [...errors, ...isMissing] });
  }
  return judge('NAMESERVERS_FAIL', { zone, errors: [...errors, ...isMissing] });
}
