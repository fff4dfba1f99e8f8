import { normalizeDnsName, isWithin } from '#contract/values/dnsName.ts';
import { assessResponse, formatData } from './assessResponse.ts';
import { judgeDmarc } from './dmarc/judgeDmarc.ts';
import { isDmarc } from './dmarc/dmarcRecord.ts';
import { resultOf, turnOf } from './catalogue/catalogue.ts';
import { diagnoseMissingCname, isProxied } from './cname/diagnoseMissingCname.ts';
import type { Inspection } from './inspection.ts';
import { EMPTY_RESPONSE } from './wire/message.ts';
import { foldName, isKeyName, isPublicSuffix, organisationOf, parentOf } from './wire/names.ts';
import { judgeDkim } from './dkim/judgeDkim.ts';
import { keyIdentity } from './dkim/judgeKey.ts';
import { type Misplacement, misplacedNames, wildcardProbe } from './probes.ts';
import { deniesAll, type Exchange } from './conversation/conversation.ts';
import { isSpf } from './spf/evaluation/parseSpf.ts';
import { judgeOldType } from './spf/judgeUnreadableSpf.ts';
import { isPublished, createVerdict, createEmptyVerdict, type Verdict } from './verdict.ts';
import { findInheritedRecord, walkDmarcTree } from './dmarc/treeWalk.ts';

const CHAIN_MAX = 8;

const MISSING = new Set<string>(['NAME_MISSING', 'RECORD_MISSING', 'TEXT_MISSING', 'SPF_MISSING', 'DMARC_MISSING']);

/** Judges the response of one server about the record. */
type AssessExchange = (exchange: Exchange) => Promise<Verdict | null>;

/** Finds out by further queries why a record is missing or wrong. */
export async function diagnose(inspection: Inspection, verdict: Verdict, read: AssessExchange): Promise<Verdict> {
  const { code } = verdict.judgement;
  if (code === 'NAME_MISSING' && (await isAllDenied(inspection))) return createEmptyVerdict('RESOLVER_DENIES_ALL', {});
  if (code === 'NAME_MISSING' && isUnregistered(inspection)) return createEmptyVerdict('DOMAIN_NOT_DELEGATED', {});
  const { type, name, domain } = inspection.expected;
  if (type === 'CNAME' && name === inspection.zone) return createVerdict(verdict, 'CNAME_AT_APEX', {});
  const isNothing = MISSING.has(code) || code === 'CNAME_AT_NAME' || code === 'NULL_MX';
  if (type === 'MX' && name === domain && isNothing)
    return createVerdict(verdict, 'MX_WOULD_TAKE_MAIL', { others: [] });
  const inherited = isNothing ? await diagnoseInheritedDmarc(inspection, verdict) : null;
  if (inherited !== null) return inherited;
  if (MISSING.has(code)) return diagnoseMissing(inspection, verdict, read);
  if (code === 'WRONG_TARGET' || code === 'CNAME_AT_NAME') {
    const followed = await diagnoseCnameChain(inspection, verdict);
    if (followed !== null) return followed;
  }
  return (
    (await diagnoseParkedDomain(inspection)) ??
    (await diagnoseWildcard(inspection, verdict)) ??
    (await diagnoseTakenSelector(inspection, verdict)) ??
    (await diagnoseUsedTarget(inspection, verdict)) ??
    verdict
  );
}

/** Whether another service signs with the selector, by an alias to a key of its own. Null when that is not certain. */
async function diagnoseTakenSelector({ expected, lookUp }: Inspection, verdict: Verdict): Promise<Verdict | null> {
  const { code } = verdict.judgement;
  const isAlias = code === 'WRONG_TARGET' || code === 'WRONG_THROUGH_CNAME';
  const [written = '', ...others] = verdict.found;
  if (!isAlias || !isKeyName(expected.name) || others.length > 0) return null;
  const { domain, value, type } = expected;
  const keys = async (name: string) => (await lookUp(name, 'TXT')).records ?? [];
  const theirs = await keys(written);
  const texts = theirs.map((data) => data.value);
  const key = judgeDkim({ texts, expected: null, by: 'provider' });
  if (key === null || resultOf(key.code, 'record') === 'fail') return null;
  const listed = type === 'CNAME' ? (await keys(value)).map((data) => data.value) : [value];
  // The same key behind another name is that of the provider.
  if (listed.some((text) => keyIdentity(text) === keyIdentity(texts[0] ?? ''))) return null;
  // Behind further aliases, the last name is that of the service.
  const target = foldName(theirs[0]?.name ?? written);
  const by = organisationOf(target);
  if (type === 'CNAME' && organisationOf(value) === by) return null;
  if (organisationOf(domain) !== by) return createVerdict(verdict, 'SELECTOR_TAKEN', { target, by });
  // A key in the domain itself may be a former one of the provider.
  return withUser(verdict, `the key at ${target}`);
}

/** Whether the record leads to a host that exists and is not the provider's, so that it may be in use. */
async function diagnoseUsedTarget(inspection: Inspection, verdict: Verdict): Promise<Verdict | null> {
  const { expected, lookUp } = inspection;
  const { domain, name, type, value } = expected;
  if (isKeyName(name) || type === 'NS' || withUser(verdict, '') === null) return null;
  if (verdict.judgement.code === 'WRONG_TARGET' && (type === 'A' || type === 'AAAA')) {
    return isProxied(inspection, verdict.found)
      ? createVerdict(verdict, 'PROXIED_CLOUDFLARE', {})
      : withUser(verdict, verdict.found.join(', '));
  }
  const kinds = ['A', 'AAAA', 'MX', ...(verdict.judgement.code === 'CNAME_AT_NAME' ? (['TXT'] as const) : [])] as const;
  for (const found of verdict.found) {
    for (const kind of kinds) {
      // Behind further aliases, the last name is that of the service.
      const [there] = (await lookUp(found.split(' ').at(-1) ?? '', kind)).records ?? [];
      if (there === undefined) continue;
      const host = foldName(there.name);
      const by = organisationOf(host);
      if (by === organisationOf(value) && by !== organisationOf(domain)) break;
      return withUser(verdict, by === organisationOf(domain) ? host : by);
    }
  }
  return null;
}

/** The verdict on an alias or a target that says who may still use it; null for another verdict. */
function withUser(verdict: Verdict, user: string): Verdict | null {
  const { judgement } = verdict;
  if (judgement.code === 'WRONG_TARGET' || judgement.code === 'CNAME_AT_NAME') {
    return { ...verdict, judgement: { ...judgement, facts: { user } } };
  }
  if (judgement.code !== 'WRONG_THROUGH_CNAME') return null;
  return { ...verdict, judgement: { ...judgement, facts: { ...judgement.facts, user } } };
}

async function isAllDenied({ run, hasAuthoritativeAnswer, delegation }: Inspection): Promise<boolean> {
  return !hasAuthoritativeAnswer && delegation.zone === '' && deniesAll(run);
}

/** A registry that answers for a domain itself says that the domain is not registered. */
function isUnregistered({ answeringZone, baseDomain }: Inspection): boolean {
  return answeringZone !== null && answeringZone !== baseDomain && isPublicSuffix(answeringZone);
}

async function diagnoseMissing(inspection: Inspection, verdict: Verdict, read: AssessExchange): Promise<Verdict> {
  const { expected } = inspection;
  const parked = await diagnoseParkedDomain(inspection);
  if (parked !== null) return parked;
  if (expected.type === 'CNAME' && verdict.judgement.code === 'RECORD_MISSING') {
    const instead = await diagnoseMissingCname(inspection, verdict);
    if (instead !== null) return instead;
  }
  const misplaced = await diagnoseMisplaced(inspection, verdict);
  if (misplaced !== null) return misplaced;
  if (expected.purpose === 'spf' && verdict.judgement.code !== 'NAME_MISSING') {
    const old = (await inspection.queryRecords(expected.name, 'SPF')).filter(({ name }) => name === expected.name);
    if (old.length > 0) {
      await inspection.addEvidence(expected.name, 'SPF');
      const texts = old.map(formatData).toSorted();
      const judgement = await judgeOldType({
        name: expected.name,
        texts,
        expected: expected.value,
        lookUp: inspection.lookUp,
      });
      if (judgement !== null) return { judgement, found: texts, ttl: verdict.ttl };
    }
  }
  const explained =
    verdict.found.length > 0 ? diagnoseWildcard(inspection, verdict) : diagnoseWrongHost(inspection, verdict, read);
  return (await explained) ?? (await diagnoseShadowedWildcard(inspection, verdict)) ?? verdict;
}

async function diagnoseParkedDomain({ delegation, baseDomain }: Inspection): Promise<Verdict | null> {
  const { serverNames, zone } = delegation;
  const parked = isWithin(baseDomain, zone) && !isPublicSuffix(zone) ? detectParking(serverNames) : null;
  if (parked === null) return null;
  return createEmptyVerdict(parked === 'expired' ? 'DOMAIN_EXPIRED' : 'DOMAIN_PARKED', { servers: serverNames });
}

/** Without a DMARC record, that of a parent domain applies. Null when there is none. */
async function diagnoseInheritedDmarc(inspection: Inspection, verdict: Verdict): Promise<Verdict | null> {
  const { expected, lookUp } = inspection;
  if (expected.purpose !== 'dmarc' || !expected.name.startsWith('_dmarc.')) return null;
  const walk = await walkDmarcTree(expected.name.slice('_dmarc.'.length), lookUp);
  const inherited = findInheritedRecord(walk);
  if (inherited === null) {
    // A record of a parent domain may apply, so that none is missing here.
    return (
      walk.unanswered && createEmptyVerdict('NOT_ASKED', { name: walk.unanswered.name, reason: walk.unanswered.reason })
    );
  }
  const judgement = judgeDmarc({ texts: [], expected: expected.value, inherited });
  if (judgement.code !== 'DMARC_INHERITED' && judgement.code !== 'DMARC_INHERITED_WEAKER') return null;
  await inspection.addEvidence(`_dmarc.${inherited.domain}`, 'TXT');
  return { judgement, found: judgement.found ?? [], ttl: verdict.ttl };
}

async function diagnoseMisplaced(inspection: Inspection, { ttl }: Verdict): Promise<Verdict | null> {
  const { expected } = inspection;
  for (const { code, name } of misplacedNames(expected, inspection.zone ?? expected.domain)) {
    const there = await inspection.queryResponse(name, expected.type);
    if (there === null || !there.answers.some((data) => data.name === name && data.type === expected.type)) continue;
    const found = await assessAt(inspection, name, there.answers);
    if (!isExpectedRecord(found) && !isSameMx(code, found, inspection) && !isDoubledTwice(code, found)) continue;
    if (await isOfWildcard(inspection, name, found)) continue;
    await inspection.addEvidence(name, expected.type);
    return judgeMisplaced(code, name, { ...found, ttl }, inspection);
  }
  return null;
}

/** Whether a random name beside it has the same record: then a wildcard brings it. */
async function isOfWildcard(inspection: Inspection, name: string, { found }: Verdict): Promise<boolean> {
  const probe = wildcardProbe(name, inspection.run.unusedLabel);
  const sibling = await inspection.queryResponse(probe, inspection.expected.type);
  const values = sibling?.answers.filter((data) => data.name === probe).map(formatData) ?? [];
  return values.length > 0 && values.toSorted().join() === found.join();
}

/** Whether the record at another name is the expected one, perhaps with a fault of the provider. */
function isExpectedRecord({ judgement }: Verdict): boolean {
  const result = resultOf(judgement.code, 'record');
  const isOfProvider = turnOf(judgement) === 'provider' && judgement.code !== 'EXPECTED_KEY_UNREADABLE';
  return result === 'ok' || result === 'warn' || (result === 'fail' && isOfProvider);
}

/** Whether the DNS host has appended its zone to the target as well. */
function isDoubledTwice(code: Misplacement, { judgement }: Verdict): boolean {
  return code === 'NAME_DOUBLED' && judgement.code === 'TARGET_DOUBLED';
}

/** Whether the expected MX is at the domain itself, where it may be beside those of its own mail. */
function isSameMx(code: Misplacement, { found }: Verdict, { expected }: Inspection): boolean {
  return code === 'MX_AT_DOMAIN' && found.some((value) => value.toLowerCase().split(' ')[1] === expected.value);
}

function judgeMisplaced(code: Misplacement, foundAt: string, there: Verdict, { expected }: Inspection): Verdict {
  // The record of the owner is offered as it is, because it may be stricter than the listed one. With ONLY_AT_DOMAIN it
  // stays where it is.
  const isOwn = code !== 'ONLY_AT_DOMAIN' && (expected.purpose === 'dmarc' || expected.purpose === 'spf');
  const own = isOwn ? there.found.filter((text) => (expected.purpose === 'dmarc' ? isDmarc(text) : isSpf(text))) : [];
  const offer = own.length === 1 ? { offer: own[0] as string } : {};
  if (code === 'NAME_DOUBLED') {
    const isTargetDoubled = isDoubledTwice(code, there);
    const target = isTargetDoubled ? { offer: there.judgement.offer } : offer;
    return createVerdict(there, code, { foundAt, isTargetDoubled }, target);
  }
  if (code !== 'MX_AT_DOMAIN') return createVerdict(there, code, { foundAt }, offer);
  const others = there.found.filter((value) => value.toLowerCase().split(' ')[1] !== expected.value);
  return createVerdict(there, code, { foundAt, others });
}

/** The verdict on records of another name, as if they were at the right one. */
async function assessAt(
  inspection: Inspection,
  name: string,
  answers: Parameters<typeof assessResponse>[1]['answers'],
): Promise<Verdict> {
  const moved = answers.map((data) => (data.name === name ? { ...data, name: inspection.expected.name } : data));
  return assessResponse(inspection, { ...EMPTY_RESPONSE, answers: moved });
}

/** Whether a wildcard brings the records; null when a random name beside it has others. */
async function diagnoseWildcard(inspection: Inspection, verdict: Verdict): Promise<Verdict | null> {
  const { name, type } = inspection.expected;
  const probe = wildcardProbe(name, inspection.run.unusedLabel);
  const sibling = (await inspection.queryResponse(probe, type))?.answers.filter((data) => data.name === probe) ?? [];
  const values = sibling.map(formatData).toSorted();
  if (values.length === 0 || values.join() !== verdict.found.join()) return null;
  await inspection.addEvidence(probe, type);
  return createVerdict(verdict, 'WILDCARD_ANSWERS', {});
}

/** Whether a wildcard has the right record, and does not answer for a name that exists (RFC 4592, section 2.2.1). */
async function diagnoseShadowedWildcard(inspection: Inspection, verdict: Verdict): Promise<Verdict | null> {
  const { name, type, domain } = inspection.expected;
  // Where the name does not exist, the wildcard beside it does not either, and one above is hidden by a name between.
  const isNameMissing = verdict.judgement.code === 'NAME_MISSING';
  const beside = isNameMissing ? domain : parentOf(name);
  if (isNameMissing && parentOf(parentOf(name)) !== domain) return null;
  const probe = `${inspection.run.unusedLabel}.${beside}`;
  const there = (await inspection.queryResponse(probe, type))?.answers ?? [];
  if (!there.some((data) => data.name === probe && data.type === type)) return null;
  const moved = there.map((data) => (data.name === probe ? { ...data, name } : data));
  const assessed = await assessResponse(inspection, { ...EMPTY_RESPONSE, answers: moved });
  if (!isExpectedRecord(assessed)) return null;
  await inspection.addEvidence(probe, type);
  return createVerdict(verdict, 'WILDCARD_SHADOWED', {
    wildcard: `*.${beside}`,
    existing: isNameMissing ? parentOf(name) : name,
  });
}

/** The record at the primary server of the zone, if that is not authoritative; null when it is not there. */
async function diagnoseWrongHost(
  inspection: Inspection,
  { ttl }: Verdict,
  read: AssessExchange,
): Promise<Verdict | null> {
  const { primary, delegation } = inspection;
  if (primary === undefined || delegation.serverNames.includes(primary) || normalizeDnsName(primary) === null)
    return null;
  const server = await inspection.resolveServer(primary);
  if (server === null) return null;
  const { name, type } = inspection.expected;
  const exchange = await inspection.queryServer(server, name, type);
  const there = await read(exchange);
  if (there === null || !isPublished(there)) return null;
  inspection.evidence.push(exchange);
  return createVerdict({ found: there.found, ttl }, 'EDITED_AT_WRONG_HOST', { foundAt: primary });
}

/** Whether a wrong target leads in a circle, or to the right one after all; null when neither. */
async function diagnoseCnameChain(inspection: Inspection, verdict: Verdict): Promise<Verdict | null> {
  const { name, value, type } = inspection.expected;
  if (type !== 'CNAME' && verdict.judgement.code !== 'CNAME_AT_NAME') return null;
  const steps = new Set([name]);
  let at = verdict.found[0]?.toLowerCase() ?? '';
  while (at !== '' && steps.size < CHAIN_MAX) {
    const code = steps.has(at) ? 'CNAME_LOOP' : type === 'CNAME' && at === value ? 'CNAME_CHAIN' : null;
    if (code !== null) {
      for (const step of steps) if (step !== name) await inspection.addEvidence(step, 'CNAME');
      return createVerdict(verdict, code, {});
    }
    steps.add(at);
    const records = await inspection.queryRecords(at, 'CNAME');
    at = records.find((data) => data.type === 'CNAME' && data.name === at)?.value.toLowerCase() ?? '';
  }
  return null;
}

// Companies whose name servers answer for unused domains, with the same address for every name.

/** Markets for domains, and parking services. */
const PARKING =
  /(^|[.-])(sedoparking|parkingcrew|bodis|above|dan|afternic|undeveloped|uniregistrymarket|parklogic|voodoo|namedrive|ztomy|smartname|hugedomains\w*|cashparking|parkpage|domainparking\w*|parking\w*|parked\w*)\.[a-z.]+$/;

/** Labels in the names of name servers that registrars set for expired or suspended domains. */
const EXPIRED =
  /(^|-)(pendingrenewaldeletion|renewyourname|failed-whois-verification|verify-contact-details)$|(^|-)(expired|suspended)|expired$|redemption/;

/** What the names of name servers say about the domain; null when nothing. */
function detectParking(serverNames: readonly string[]): 'expired' | 'parked' | null {
  if (
    serverNames.some((name) =>
      name
        .split('.')
        .slice(0, -1)
        .some((label) => EXPIRED.test(label)),
    )
  )
    return 'expired';
  return serverNames.some((name) => PARKING.test(name)) ? 'parked' : null;
}
