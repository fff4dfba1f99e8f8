import { assessResponse } from './assessResponse.ts';
import { catalogue, judge, type Judgement, resultOf, turnOf } from './catalogue/catalogue.ts';
import type { CatalogueEntry } from './catalogue/catalogueEntry.ts';
import { findPolicy, readDmarc, strengthOf } from './dmarc/dmarcRecord.ts';
import type { Inspection } from './inspection.ts';
import { EMPTY_RESPONSE, type ResourceRecord } from './wire/message.ts';
import { foldName } from './wire/names.ts';
import { createVerdict, isPublished, type Verdict } from './verdict.ts';
import { findInheritedRecord, walkDmarcTree } from './dmarc/treeWalk.ts';

/** A verdict, and the value offered for the record; null when there is none. */
export type VerdictWithOffer = { verdict: Verdict; offer: string | null };

/**
 * Verifies the offer of a verdict: with it in place of the records found, the check must succeed. Otherwise nothing is
 * offered, and if the listed text is the reason, the verdict is about that.
 */
export async function verifyOffer(inspection: Inspection, verdict: Verdict): Promise<VerdictWithOffer> {
  const { judgement } = verdict;
  const { todo }: Pick<CatalogueEntry<never>, 'todo'> = catalogue[judgement.code];
  if (todo === undefined || judgement.offer === null) return { verdict, offer: null };
  const { expected } = inspection;
  const value = judgement.offer ?? expected.value;
  const { name, type } = expected;
  const offered: ResourceRecord = { name, type, ttl: 0, value: value.replace(/\.$/, ''), priority: expected.priority };
  if (type === 'MX') offered.priority ??= 10;
  if (type === 'TXT') offered.value = value;
  if (await isWeakerThanInherited(inspection, value)) return { verdict, offer: null };
  const named = await findMxOfHost(inspection, verdict);
  if (named !== null) return { verdict: createVerdict(verdict, 'MX_NAMES_HOST', { at: named }), offer: null };
  const kept = listRemainingRecords(inspection);
  const tried = await assessResponse(inspection, { ...EMPTY_RESPONSE, answers: [...kept, offered] });
  if (judgement.code === 'WRONG_TARGET' && turnOf(tried.judgement) === 'provider') {
    return resultOf(tried.judgement.code, 'record') === 'fail'
      ? { verdict: { ...verdict, judgement: judge('LISTED_TARGET_BROKEN', { target: value }) }, offer: null }
      : { verdict, offer: value };
  }
  if (type !== 'TXT' || resultOf(tried.judgement.code, 'record') !== 'fail') {
    return { verdict, offer: isPublished(tried) ? value : null };
  }
  const onListed = judgement.offer === undefined ? judgementOnListed(inspection, tried.judgement) : null;
  return { verdict: onListed === null ? verdict : { ...verdict, judgement: onListed }, offer: null };
}

const REMOVING_ALIAS = new Set<string>(['CNAME_AT_NAME', 'WRONG_THROUGH_CNAME', 'CNAME_LOOP']);

/** The domain whose mail server has this name, when the offer would replace its addresses or its alias; else null. */
async function findMxOfHost(inspection: Inspection, { judgement }: Verdict): Promise<string | null> {
  const { expected, zone } = inspection;
  const { name, type, domain } = expected;
  const isReplacing = ['CNAME', 'A', 'AAAA'].includes(type) || REMOVING_ALIAS.has(judgement.code);
  // No mail server has a name with an underscore.
  if (!isReplacing || name.includes('_') || resultOf(judgement.code, 'record') !== 'fail') return null;
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

/** The fault of the listed text, which only the provider can fix; null when that is not the reason. */
function judgementOnListed({ expected }: Inspection, tried: Judgement): Judgement | null {
  if (turnOf(tried) !== 'provider') return null;
  return expected.purpose === 'dkim' ? judge('EXPECTED_KEY_UNREADABLE', {}, { offer: null }) : tried;
}

/** The records that stay at the name beside the offer: other texts, and other listed records. */
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
