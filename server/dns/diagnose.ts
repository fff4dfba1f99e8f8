import { normalizeDnsName, isWithin } from '#contract/values/dnsName.ts';
import { assess, assessResponse } from './assessResponse.ts';
import {
  basisOf,
  isFailure,
  isPublished,
  judge,
  type Judgement,
  MISSING_CODES,
  resultOf,
  turnOf,
} from './catalogue/catalogue.ts';
import { diagnoseCnameChain, diagnoseTakenSelector, diagnoseUsedTarget } from './cname/diagnoseAlias.ts';
import { diagnoseMissingCname } from './cname/diagnoseMissingCname.ts';
import { isDmarc } from './dmarc/dmarcRecord.ts';
import { judgeDmarc } from './dmarc/judgeDmarc.ts';
import { findInheritedRecord, walkDmarcTree } from './dmarc/treeWalk.ts';
import type { Inspection } from './inspection.ts';
import { type Misplacement, misplacedNames, wildcardProbe } from './probes.ts';
import { detectParking } from './servers/parking.ts';
import { isSpf } from './spf/evaluation/parseSpf.ts';
import { judgeOldType } from './spf/judgeUnreadableSpf.ts';
import { EMPTY_RESPONSE, formatData, type ResourceRecord } from './wire/message.ts';
import { isPublicSuffix, parentOf } from './wire/names.ts';

/** The host has a record, but nothing of what is expected. */
const NOTHING_CODES = new Set<string>(['CNAME_AT_NAME', 'DMARC_ALIAS_EMPTY', 'NULL_MX']);

export async function diagnose(inspection: Inspection, judgement: Judgement): Promise<Judgement> {
  const { code } = judgement;
  if (code === 'NAME_MISSING' && (await isAllDenied(inspection))) return judge('RESOLVER_DENIES_ALL', {});
  if (code === 'NAME_MISSING' && isUnregistered(inspection)) return judge('DOMAIN_NOT_DELEGATED', {});
  const { type, name, domain } = inspection.expected;
  if (type === 'CNAME' && name === inspection.zone) return judge('CNAME_AT_APEX', {}, basisOf(judgement));
  const isNothing = MISSING_CODES.has(code) || NOTHING_CODES.has(code);
  if (type === 'MX' && name === domain && isNothing)
    return judge('MX_WOULD_TAKE_MAIL', { others: [] }, basisOf(judgement));
  const inherited = isNothing ? await diagnoseInheritedDmarc(inspection, judgement) : null;
  if (inherited !== null) return inherited;
  if (MISSING_CODES.has(code)) return diagnoseMissing(inspection, judgement);
  if (code === 'WRONG_TARGET' || code === 'CNAME_AT_NAME') {
    const followed = await diagnoseCnameChain(inspection, judgement);
    if (followed !== null) return followed;
  }
  return (
    diagnoseParkedDomain(inspection) ??
    (await diagnoseWildcard(inspection, judgement)) ??
    (await diagnoseTakenSelector(inspection, judgement)) ??
    (await diagnoseUsedTarget(inspection, judgement)) ??
    judgement
  );
}

async function isAllDenied({ conversation, hasAuthoritativeAnswer, delegation }: Inspection): Promise<boolean> {
  return !hasAuthoritativeAnswer && delegation.zone === '' && conversation.deniesAll();
}

/** A registry that answers for a domain itself says that the domain is not registered. */
function isUnregistered({ answeringZone, baseDomain }: Inspection): boolean {
  return answeringZone !== null && answeringZone !== baseDomain && isPublicSuffix(answeringZone);
}

async function diagnoseMissing(inspection: Inspection, missing: Judgement): Promise<Judgement> {
  const { expected } = inspection;
  const parked = diagnoseParkedDomain(inspection);
  if (parked !== null) return parked;
  if (expected.type === 'CNAME' && missing.code === 'RECORD_MISSING') {
    const instead = await diagnoseMissingCname(inspection, missing);
    if (instead !== null) return instead;
  }
  const misplaced = await diagnoseMisplaced(inspection, missing);
  if (misplaced !== null) return misplaced;
  if (expected.purpose === 'spf' && missing.code !== 'NAME_MISSING') {
    const old = (await inspection.queryRecords(expected.name, 'SPF')).filter(({ name }) => name === expected.name);
    if (old.length > 0) {
      await inspection.addEvidence(expected.name, 'SPF');
      const texts = old.map(formatData).toSorted();
      const { name, value } = expected;
      const judgement = await judgeOldType({ name, texts, expected: value, lookUp: inspection.lookUp });
      if (judgement !== null) return { ...judgement, found: texts, ttl: missing.ttl };
    }
  }
  const explained = missing.found?.length
    ? diagnoseWildcard(inspection, missing)
    : diagnoseWrongHost(inspection, missing);
  return (await explained) ?? (await diagnoseShadowedWildcard(inspection, missing)) ?? missing;
}

function diagnoseParkedDomain({ delegation, baseDomain }: Inspection): Judgement | null {
  const { serverNames, zone } = delegation;
  const parked = isWithin(baseDomain, zone) && !isPublicSuffix(zone) ? detectParking(serverNames) : null;
  if (parked === null) return null;
  return judge(parked === 'expired' ? 'DOMAIN_EXPIRED' : 'DOMAIN_PARKED', { servers: serverNames });
}

/** Without a DMARC record, a parent domain's record applies. Null when there is none. */
async function diagnoseInheritedDmarc(inspection: Inspection, { ttl }: Judgement): Promise<Judgement | null> {
  const { expected, lookUp } = inspection;
  if (expected.purpose !== 'dmarc' || !expected.name.startsWith('_dmarc.')) return null;
  const walk = await walkDmarcTree(expected.name.slice('_dmarc.'.length), lookUp);
  const inherited = findInheritedRecord(walk);
  if (inherited === null) {
    // A record of a parent domain may apply, so that none is missing here.
    return walk.unanswered && judge('NOT_ASKED', { name: walk.unanswered.name, reason: walk.unanswered.reason });
  }
  const judgement = judgeDmarc({ texts: [], expected: expected.value, inherited });
  if (judgement.code !== 'DMARC_INHERITED' && judgement.code !== 'DMARC_INHERITED_WEAKER') return null;
  await inspection.addEvidence(`_dmarc.${inherited.domain}`, 'TXT');
  return { ...judgement, ttl };
}

async function diagnoseMisplaced(inspection: Inspection, { ttl }: Judgement): Promise<Judgement | null> {
  const { expected } = inspection;
  // A wildcard answers for many names, so that its values show it the next time.
  const ofWildcard = new Set<string>();
  for (const { code, name } of misplacedNames(expected, inspection.zone ?? expected.domain)) {
    const there = await inspection.queryRecords(name, expected.type);
    if (!there.some((data) => data.name === name && data.type === expected.type)) continue;
    const found = await assessAt(inspection, name, there);
    if (!isExpectedRecord(found) && !isSameMx(code, found, inspection) && !isDoubledTwice(code, found)) continue;
    const values = found.found?.join() ?? '';
    if (!ofWildcard.has(values)) {
      const others = await valuesAt(inspection, wildcardProbe(name, inspection.conversation.unusedLabel));
      if (others.length > 0) ofWildcard.add(others.join());
    }
    if (ofWildcard.has(values)) continue;
    await inspection.addEvidence(name, expected.type);
    return judgeMisplaced(code, name, { ...found, ttl }, inspection);
  }
  return null;
}

function isExpectedRecord(judgement: Judgement): boolean {
  if (isFailure(judgement)) return turnOf(judgement) === 'provider' && judgement.code !== 'EXPECTED_KEY_UNREADABLE';
  return ['ok', 'warn'].includes(resultOf(judgement.code, 'record'));
}

function isDoubledTwice(code: Misplacement, judgement: Judgement): boolean {
  return code === 'NAME_DOUBLED' && judgement.code === 'TARGET_DOUBLED';
}

function isSameMx(code: Misplacement, { found = [] }: Judgement, { expected }: Inspection): boolean {
  return code === 'MX_AT_DOMAIN' && found.some((value) => value.toLowerCase().split(' ')[1] === expected.value);
}

function judgeMisplaced(code: Misplacement, foundAt: string, there: Judgement, { expected }: Inspection): Judgement {
  const { found = [] } = there;
  // The record of the owner is offered as it is, because it may be stricter than the listed one. With ONLY_AT_DOMAIN it
  // stays where it is.
  const isOwn = code !== 'ONLY_AT_DOMAIN' && (expected.purpose === 'dmarc' || expected.purpose === 'spf');
  const own = isOwn ? found.filter((text) => (expected.purpose === 'dmarc' ? isDmarc(text) : isSpf(text))) : [];
  const more = { ...basisOf(there), offer: own.length === 1 ? own[0] : undefined };
  if (code === 'NAME_DOUBLED') {
    const isTargetDoubled = isDoubledTwice(code, there);
    return judge(code, { foundAt, isTargetDoubled }, isTargetDoubled ? { ...more, offer: there.offer } : more);
  }
  if (code !== 'MX_AT_DOMAIN') return judge(code, { foundAt }, more);
  const others = found.filter((value) => value.toLowerCase().split(' ')[1] !== expected.value);
  return judge(code, { foundAt, others }, more);
}

async function assessAt(inspection: Inspection, name: string, answers: readonly ResourceRecord[]): Promise<Judgement> {
  const moved = answers.map((data) => (data.name === name ? { ...data, name: inspection.expected.name } : data));
  return assessResponse(inspection, { ...EMPTY_RESPONSE, answers: moved });
}

/** A random sibling name with the same records proves a wildcard; null otherwise. */
async function diagnoseWildcard(inspection: Inspection, judgement: Judgement): Promise<Judgement | null> {
  const { name, type } = inspection.expected;
  const probe = wildcardProbe(name, inspection.conversation.unusedLabel);
  const values = await valuesAt(inspection, probe);
  if (values.length === 0 || values.join() !== judgement.found?.join()) return null;
  await inspection.addEvidence(probe, type);
  return judge('WILDCARD_ANSWERS', {}, basisOf(judgement));
}

async function valuesAt(inspection: Inspection, name: string): Promise<string[]> {
  const records = await inspection.queryRecords(name, inspection.expected.type);
  return records
    .filter((data) => data.name === name)
    .map(formatData)
    .toSorted();
}

/** Whether a wildcard has the right record, but doesn't apply to an existing name (RFC 4592, section 2.2.1). */
async function diagnoseShadowedWildcard(inspection: Inspection, judgement: Judgement): Promise<Judgement | null> {
  const { name, type, domain } = inspection.expected;
  // If the name doesn't exist, no sibling wildcard does either, and a higher one is hidden by a name in between.
  const isNameMissing = judgement.code === 'NAME_MISSING';
  const parent = isNameMissing ? domain : parentOf(name);
  if (isNameMissing && parentOf(parentOf(name)) !== domain) return null;
  // It doesn't apply in a zone below it either.
  if (!isWithin(parent, inspection.zone ?? domain)) return null;
  const probe = `${inspection.conversation.unusedLabel}.${parent}`;
  const there = await inspection.queryRecords(probe, type);
  if (!there.some((data) => data.name === probe && data.type === type)) return null;
  if (!isExpectedRecord(await assessAt(inspection, probe, there))) return null;
  await inspection.addEvidence(probe, type);
  const facts = { wildcard: `*.${parent}`, existing: isNameMissing ? parentOf(name) : name };
  return judge('WILDCARD_SHADOWED', facts, basisOf(judgement));
}

async function diagnoseWrongHost(inspection: Inspection, { ttl }: Judgement): Promise<Judgement | null> {
  const { primary, delegation, conversation, expected, evidence } = inspection;
  if (primary === undefined || delegation.serverNames.includes(primary) || normalizeDnsName(primary) === null)
    return null;
  const { servers } = await conversation.resolveDelegation('', [primary], null);
  const [exchange] = await conversation.queryAll(servers, expected.name, expected.type);
  const there = await assess(inspection, exchange ?? null);
  if (exchange === undefined || there === null || !isPublished(there)) return null;
  evidence.push(exchange);
  return judge('EDITED_AT_WRONG_HOST', { foundAt: primary }, { found: there.found, ttl });
}
