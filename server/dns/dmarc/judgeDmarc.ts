import { judge, type Judgement } from '../catalogue/catalogue.ts';
import {
  type DmarcRecord,
  isTest,
  type Policy,
  POLICY_TAGS,
  type PolicyTag,
  policyOf,
  readDmarc,
  strengthOf,
  weakerThan,
} from './dmarcRecord.ts';
import { faultInRecord } from './faultInRecord.ts';
import { meantDmarc } from './meantDmarc.ts';
import { offerDmarc } from './offerDmarc.ts';
import { recordIn } from './treeWalk.ts';

export type DmarcQuestion = {
  /** The TXT records at the name. */
  texts: readonly string[];
  /** The record that should be there; null where any will do. */
  expected: string | null;
  /** The record above that counts for the domain where it has none of its own (`inheritedBy`). */
  inherited: { domain: string; record: DmarcRecord } | null;
};

/** What is published at `_dmarc` against the listed record. Which policy to have is the owner's choice. */
export function judgeDmarc({ texts, expected, inherited }: DmarcQuestion): Judgement {
  const listed = readDmarc(expected ?? '');
  const fault = faultInRecord(texts, policyOf(listed, false, true).policy);
  if (fault !== null && fault.code !== 'DMARC_TAG_UNREADABLE') return fault;
  const record = recordIn(texts);
  if (record !== null) return judgeStrength(record, listed) ?? fault ?? judge('MATCH', {});
  if (inherited !== null) return judgeInherited(inherited, listed);
  return judge('DMARC_MISSING', { count: texts.length, instead: kindIn(texts) });
}

/** Null where the record asks for as much as the listed one. */
function judgeStrength(record: DmarcRecord, listed: DmarcRecord): Judgement | null {
  const tag = POLICY_TAGS.find((one) => strengthAt(one, record) < strengthAt(one, listed));
  const meant = meantDmarc(record.text);
  if (tag === undefined || meant === null) return null;
  const facts = { published: asWritten(tag, record), listed: asWritten(tag, listed) };
  const tags = new Map(record.tags);
  for (const one of POLICY_TAGS) {
    const wanted = wishAt(one, listed);
    if (strengthOf(wishAt(one, { tags })) < strengthOf(wanted)) tags.set(one, wanted);
  }
  if (isTest(tags) && !isTest(listed.tags)) tags.set('t', 'n');
  const change = Object.fromEntries([...tags].filter(([one, value]) => record.tags.get(one) !== value));
  return judge('DMARC_WEAKER_THAN_LISTED', facts, { offer: offerDmarc(meant, change) });
}

function judgeInherited({ domain, record }: { domain: string; record: DmarcRecord }, listed: DmarcRecord): Judgement {
  // Whether the name counts as existent is not known here: the weaker one of the two decides.
  const weakest = POLICY_TAGS.slice(1).toSorted((one, other) => strengthAt(one, record) - strengthAt(other, record));
  const [tag = 'sp'] = weakest;
  const policy = asWritten(tag, record);
  if (strengthAt(tag, record) >= strengthAt('p', listed)) return judge('DMARC_INHERITED', { domain, policy });
  const facts = { domain, policy, listed: asWritten('p', listed) };
  return judge('DMARC_INHERITED_WEAKER', facts, { offer: ownRecord(record, listed) });
}

/** The listed record with what the inherited one says besides policies: reports and alignment go on as before. */
function ownRecord(inherited: DmarcRecord, listed: DmarcRecord): string | null {
  const tags = new Map([...inherited.tags].filter(([tag]) => !['p', 'sp', 'np', 'psd', 't', 'pct'].includes(tag)));
  for (const [tag, value] of listed.tags) {
    const before = tags.get(tag);
    const isList = before !== undefined && (tag === 'rua' || tag === 'ruf');
    tags.set(tag, isList ? [...new Set([...before.split(','), ...value.split(',')])].join(',') : value);
  }
  return offerDmarc({ tags, lost: [] });
}

function wishAt(tag: PolicyTag, record: Pick<DmarcRecord, 'tags'>): Policy {
  return tag === 'p' ? policyOf(record, false, true).policy : policyOf(record, true, tag === 'sp').policy;
}

function strengthAt(tag: PolicyTag, record: DmarcRecord): number {
  const policy = wishAt(tag, record);
  return strengthOf(isTest(record.tags) ? weakerThan(policy) : policy);
}

/** The policy with the tag that it comes from, as in "sp=none". */
function asWritten(tag: PolicyTag, record: DmarcRecord): string {
  const source = tag === 'p' ? 'p' : (policyOf(record, true, tag === 'sp').tag ?? 'p');
  return `${source}=${wishAt(tag, record)}${isTest(record.tags) ? '; t=y' : ''}`;
}

/** What a text without a DMARC record is. */
function kindIn(texts: readonly string[]): 'spf' | 'dkim' | null {
  if (texts.some((text) => /^\s*v\s*=\s*spf1/i.test(text))) return 'spf';
  return texts.some((text) => /^\s*v\s*=\s*DKIM1/i.test(text)) ? 'dkim' : null;
}
