import { assessResponse } from './assessResponse.ts';
import { basisOf, catalogue, isFailure, isPublished, judge, type Judgement, turnOf } from './catalogue/catalogue.ts';
import { findPolicy, readDmarc, strengthOf } from './dmarc/dmarcRecord.ts';
import { findInheritedRecord, walkDmarcTree } from './dmarc/treeWalk.ts';
import type { Inspection } from './inspection.ts';
import { EMPTY_RESPONSE, type ResourceRecord } from './wire/message.ts';
import { foldName } from './wire/names.ts';

/**
 * Verifies the offer of a judgement: with it instead of the records found, the check must succeed. Otherwise nothing is
 * offered, and if the listed text is the reason, the judgement is about that. The offer of the result is never undefined.
 */
export async function verifyOffer(inspection: Inspection, judgement: Judgement): Promise<Judgement> {
  const without = { ...judgement, offer: null };
  if (!('todo' in catalogue[judgement.code]) || judgement.offer === null) return without;
  const { expected } = inspection;
  const value = judgement.offer ?? expected.value;
  const { name, type } = expected;
  const offered: ResourceRecord = { name, type, ttl: 0, value: value.replace(/\.$/, ''), priority: expected.priority };
  if (type === 'MX') offered.priority ??= 10;
  if (type === 'TXT') offered.value = value;
  if (await isWeakerThanInherited(inspection, value)) return without;
  const mxAt = await findMxOfHost(inspection, judgement);
  if (mxAt !== null) return judge('MX_NAMES_HOST', { at: mxAt }, { ...basisOf(judgement), offer: null });
  const kept = listRemainingRecords(inspection);
  const tried = await assessResponse(inspection, { ...EMPTY_RESPONSE, answers: [...kept, offered] });
  if (judgement.code === 'WRONG_TARGET' && turnOf(tried) === 'provider') {
    return isFailure(tried)
      ? judge('LISTED_TARGET_BROKEN', { target: value }, { ...basisOf(judgement), offer: null })
      : { ...judgement, offer: value };
  }
  if (type !== 'TXT' || !isFailure(tried)) return { ...judgement, offer: isPublished(tried) ? value : null };
  // Only the provider can fix the listed text.
  if (judgement.offer !== undefined || turnOf(tried) !== 'provider') return without;
  const onListed = expected.purpose === 'dkim' ? judge('EXPECTED_KEY_UNREADABLE', {}) : tried;
  return { ...onListed, ...basisOf(judgement), offer: null };
}

const REMOVING_ALIAS = new Set<string>(['CNAME_AT_NAME', 'WRONG_THROUGH_CNAME', 'CNAME_LOOP', 'DMARC_ALIAS_EMPTY']);

/** The domain whose mail server has this name, when the offer would replace its addresses or its alias; else null. */
async function findMxOfHost(inspection: Inspection, judgement: Judgement): Promise<string | null> {
  const { expected, zone } = inspection;
  const { name, type, domain } = expected;
  const isReplacing = ['CNAME', 'A', 'AAAA'].includes(type) || REMOVING_ALIAS.has(judgement.code);
  // No mail server has a name with an underscore.
  if (!isReplacing || name.includes('_') || !isFailure(judgement)) return null;
  for (const at of new Set([domain, zone ?? domain])) {
    const records = await inspection.queryRecords(at, 'MX');
    if (!records.some((data) => data.type === 'MX' && foldName(data.value) === name)) continue;
    // Without an address no mail arrives, and a provider that receives it lists just this host.
    const addresses = await Promise.all([inspection.lookUp(name, 'A'), inspection.lookUp(name, 'AAAA')]);
    if (addresses.every((one) => one.records?.length === 0)) return null;
    await inspection.addEvidence(at, 'MX');
    return at;
  }
  return null;
}

/** Whether a DMARC record would replace an inherited one that is stricter or sends reports. */
async function isWeakerThanInherited({ expected, lookUp }: Inspection, value: string): Promise<boolean> {
  const domain = /^_dmarc\.(.+)$/.exec(expected.name)?.[1];
  if (expected.purpose !== 'dmarc' || domain === undefined) return false;
  const inherited = findInheritedRecord(await walkDmarcTree(domain, lookUp));
  if (inherited === null) return false;
  const own = readDmarc(value);
  const asked = [findPolicy(own, false, true), findPolicy(inherited.record, true, true)].map(({ policy }) =>
    strengthOf(policy),
  );
  const losesReports = inherited.record.tags.has('rua') && !own.tags.has('rua');
  return losesReports || (asked[0] ?? 0) < (asked[1] ?? 0);
}

/** Records that remain at the name with the offer: other texts, and other listed records. */
function listRemainingRecords({ expected, delegation }: Inspection): ResourceRecord[] {
  const { name, type, purpose, siblings } = expected;
  const found = delegation.exchanges
    .flatMap(({ answer }) => (typeof answer === 'string' ? [] : answer.answers))
    .filter((data) => data.name === name && data.type === type);
  if (type === 'CNAME') return [];
  if (type !== 'TXT') return found.filter(({ value }) => siblings.includes(value.toLowerCase()));
  if (purpose === 'dkim' || purpose === 'dmarc') return [];
  return purpose === 'text' ? found : found.filter(({ value }) => !/spf|ip4:|include:/i.test(value));
}
