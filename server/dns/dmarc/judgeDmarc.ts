import { judge, type Judgement, resultOf } from '../catalogue/catalogue.ts';
import {
  type DmarcRecord,
  isTest,
  type Policy,
  POLICY_TAGS,
  type PolicyTag,
  findPolicy,
  readDmarc,
  strengthOf,
  weakerThan,
} from './dmarcRecord.ts';
import { judgeMisreadDmarc } from './judgeMisreadDmarc.ts';
import { interpretDmarc } from './interpretDmarc.ts';
import { offerDmarc } from './offerDmarc.ts';
import { pickDmarcRecord } from './treeWalk.ts';
import { limitForSentence } from '../finding/toFinding.ts';
import type { LookUp } from '../conversation/lookUp.ts';
import { adviseDmarc } from './adviseDmarc.ts';

type DmarcInput = {
  texts: readonly string[];
  /** The expected record; null when any record is right. */
  expected: string | null;
  inherited: { domain: string; record: DmarcRecord } | null;
};

export function judgeDmarc({ texts, expected, inherited }: DmarcInput): Judgement {
  const listed = readDmarc(expected ?? '');
  const misread = judgeMisreadDmarc(texts, findPolicy(listed, false, true).policy);
  if (misread !== null && misread.code !== 'DMARC_TAG_UNREADABLE' && misread.code !== 'DMARC_REPORTS_NOT_MAILED')
    return misread;
  const record = pickDmarcRecord(texts);
  if (record !== null)
    return judgeStrength(record, listed) ?? misread ?? judgeReports(record, listed) ?? judge('MATCH', {});
  if (inherited !== null) return judgeInherited(inherited, listed);
  return judge('DMARC_MISSING', { count: texts.length, instead: detectRecordKind(texts) });
}

function judgeStrength(record: DmarcRecord, listed: DmarcRecord): Judgement | null {
  const tag = POLICY_TAGS.find((one) => policyStrength(one, record) < policyStrength(one, listed));
  const meant = interpretDmarc(record.text);
  if (tag === undefined || meant === null) return null;
  const facts = { published: formatPolicyTag(tag, record), listed: formatPolicyTag(tag, listed) };
  const tags = new Map(record.tags);
  for (const one of POLICY_TAGS) {
    const wanted = requestedPolicy(one, listed);
    if (strengthOf(requestedPolicy(one, { tags })) < strengthOf(wanted)) tags.set(one, wanted);
  }
  if (isTest(tags) && !isTest(listed.tags)) tags.set('t', 'n');
  const change = Object.fromEntries([...tags].filter(([one, value]) => record.tags.get(one) !== value));
  return judge('DMARC_WEAKER_THAN_LISTED', facts, { offer: offerDmarc(meant, change) });
}

function judgeReports(record: DmarcRecord, listed: DmarcRecord): Judgement | null {
  const [own, wanted] = [record, listed].map(({ tags }) => addressesOf(tags.get('rua') ?? ''));
  const missing = wanted?.filter((address) => !own?.some((one) => foldAddress(one) === foldAddress(address))) ?? [];
  if (missing.length === 0) return null;
  const offer = offerDmarc(record, { rua: [...(own ?? []), ...missing].join(',') });
  return judge(
    'DMARC_REPORTS_NOT_LISTED',
    { missing: limitForSentence(missing), hasOthers: own?.length !== 0 },
    { offer },
  );
}

const addressesOf = (list: string) =>
  list
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
const foldAddress = (address: string) => address.toLowerCase().replace(/!.*$/s, '');

function judgeInherited({ domain, record }: { domain: string; record: DmarcRecord }, listed: DmarcRecord): Judgement {
  // Whether the name exists is not known here, so the weaker policy of the two counts.
  const weakest = POLICY_TAGS.slice(1).toSorted(
    (one, other) => policyStrength(one, record) - policyStrength(other, record),
  );
  const [tag = 'sp'] = weakest;
  const policy = formatPolicyTag(tag, record);
  if (policyStrength(tag, record) >= policyStrength('p', listed)) return judge('DMARC_INHERITED', { domain, policy });
  const facts = { domain, policy, listed: formatPolicyTag('p', listed) };
  return judge('DMARC_INHERITED_WEAKER', facts, { offer: ownRecord(record, listed) });
}

/**
 * The listed record with the tags of the inherited one except policies, so that reports and alignment stay as they are.
 */
function ownRecord(inherited: DmarcRecord, listed: DmarcRecord): string | null {
  const tags = new Map([...inherited.tags].filter(([tag]) => !['p', 'sp', 'np', 'psd', 't', 'pct'].includes(tag)));
  for (const [tag, value] of listed.tags) {
    const before = tags.get(tag);
    const isList = before !== undefined && (tag === 'rua' || tag === 'ruf');
    tags.set(tag, isList ? [...new Set([...before.split(','), ...value.split(',')])].join(',') : value);
  }
  return offerDmarc({ tags });
}

function requestedPolicy(tag: PolicyTag, record: Pick<DmarcRecord, 'tags'>): Policy {
  return tag === 'p' ? findPolicy(record, false, true).policy : findPolicy(record, true, tag === 'sp').policy;
}

function policyStrength(tag: PolicyTag, record: DmarcRecord): number {
  const policy = requestedPolicy(tag, record);
  return strengthOf(isTest(record.tags) ? weakerThan(policy) : policy);
}

function formatPolicyTag(tag: PolicyTag, record: DmarcRecord): string {
  const source = tag === 'p' ? 'p' : (findPolicy(record, true, tag === 'sp').tag ?? 'p');
  return `${source}=${requestedPolicy(tag, record)}${isTest(record.tags) ? '; t=y' : ''}`;
}

function detectRecordKind(texts: readonly string[]): 'spf' | 'dkim' | null {
  if (texts.some((text) => /^\s*v\s*=\s*spf1/i.test(text))) return 'spf';
  return texts.some((text) => /^\s*v\s*=\s*DKIM1/i.test(text)) ? 'dkim' : null;
}

/** Tags that need further look-ups to be judged. */
const FOLLOWED_TAGS = /[;\s](psd|sp|np|pct|rua|ruf)\s*=/i;

/** A record that is strict enough may still have undeliverable reports or unprotected subdomains. */
export async function judgeListedDmarc({
  name,
  texts,
  expected,
  lookUp,
}: {
  lookUp: LookUp;
  name: string;
  texts: readonly string[];
  expected: string;
}): Promise<Judgement> {
  const judgement = judgeDmarc({ texts, expected, inherited: null });
  const domain = /^_dmarc\.(.+)$/.exec(name)?.[1];
  if (judgement.code !== 'MATCH' || domain === undefined || !texts.some((text) => FOLLOWED_TAGS.test(text))) {
    return judgement;
  }
  const advice = await adviseDmarc({ domain, lookUp });
  if (resultOf(advice.judgement.code, 'record') !== 'warn') return judgement;
  const { found: _, ...warning } = advice.judgement;
  // Only the receiver of the reports can allow them, in another zone.
  if (warning.code === 'DMARC_REPORTS_REFUSED') return { ...warning, offer: null };
  return advice.name === name ? warning : judgement;
}
