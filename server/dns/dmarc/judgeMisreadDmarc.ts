import { judge, type Judgement } from '../catalogue/catalogue.ts';
import { detectCorruption } from '../text/detectCorruption.ts';
import { ADDRESS_TAGS, isDmarc, type Policy, readDmarc } from './dmarcRecord.ts';
import { interpretDmarc } from './interpretDmarc.ts';
import { offerDmarc } from './offerDmarc.ts';

const SHOWN_MAX = 60;

/**
 * Finds out why receivers misread the DMARC record among `texts`: they ignore it, its policy or a part of it. Null when
 * they do not, and when there is no record. `fallback` is the policy to offer when the intended one is not clear.
 */
export function judgeMisreadDmarc(texts: readonly string[], fallback: Policy = 'none'): Judgement | null {
  const records = texts.filter(isDmarc);
  if (records.length > 1) {
    const policies = records.map((text) => readDmarc(text).tags.get('p')?.toLowerCase() ?? 'none');
    return judge(
      'SEVERAL_DMARC',
      { policies: policies.map((policy) => `p=${policy}`) },
      { offer: null, found: records },
    );
  }
  const [record] = records;
  if (record !== undefined) return judgeMisreadText(record, fallback);
  const discarded = texts.filter((text) => interpretDmarc(text) !== null);
  const misread = discarded[0] === undefined ? null : judgeMisreadText(discarded[0], fallback);
  return misread && discarded.length > 1 ? { ...misread, offer: null, found: discarded } : misread;
}

function judgeMisreadText(text: string, fallback: Policy): Judgement | null {
  const meant = interpretDmarc(text);
  if (meant === null) return null;
  // An unknown policy may have been meant to reject mail.
  const isUnclear = !meant.tags.has('p') && /(^|[;,\s])p\s*[=:]/i.test(text);
  const more = { offer: isUnclear ? null : offerDmarc(meant, {}, fallback), found: [text] };
  if (!meant.isPolicyRead) {
    const spoilt = detectCorruption(
      text,
      (repaired) => isDmarc(repaired) && interpretDmarc(repaired)?.isPolicyRead === true,
    );
    return spoilt === null ? judge('DMARC_SYNTAX', { errors: meant.errors }, more) : { ...spoilt, ...more };
  }
  if (meant.errors.length > 0) return judge('DMARC_TAG_UNREADABLE', { errors: meant.errors }, more);
  if (!meant.tags.has('p'))
    return judge(meant.tags.has('rua') ? 'DMARC_POLICY_IMPLIED' : 'DMARC_WITHOUT_POLICY', {}, more);
  const [facts] = ADDRESS_TAGS.flatMap((tag) => {
    const value = meant.tags.get(tag);
    return value === undefined || /(^|,)\s*mailto:/i.test(value) ? [] : [{ tag, address: value.slice(0, SHOWN_MAX) }];
  });
  // Which mailbox is meant, only the owner knows.
  return facts === undefined ? null : judge('DMARC_REPORTS_NOT_MAILED', facts, { ...more, offer: null });
}
