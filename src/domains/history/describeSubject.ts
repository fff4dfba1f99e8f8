import type { ReadableDomain } from '#contract/domains/domain.ts';
import { adviceTitle } from '#contract/domains/adviceTitles.ts';
import { classifyRecord, RECORD_KIND_LABELS } from '../records/recordKind.ts';
import { shortenLabels } from '../records/shortenLabels.ts';
import type { Strip } from './strips.ts';

/** "DKIM" and "CNAME k1._domainkey", or "DMARC" alone. The subject of a record is its type and full name. */
export function describeSubject(
  { subject, kind }: Pick<Strip, 'subject' | 'kind'>,
  domain: ReadableDomain,
): { title: string; detail: string } {
  if (kind !== 'record') return { title: adviceTitle(subject), detail: '' };
  const [, type = '', name = subject, number = ''] = /^(\S*) (.*?)( #\d+)?$/s.exec(subject) ?? [];
  const listed = (domain.dns ?? []).find(
    (record) => record.type?.toUpperCase() === type && record.name?.toLowerCase().replace(/\.$/, '') === name,
  );
  const kindOfRecord = classifyRecord(listed ?? { type, name, value: null, is_valid: null }, domain);
  const short = name.endsWith(`.${domain.name}`) ? name.slice(0, -domain.name.length - 1) : name;
  return { title: RECORD_KIND_LABELS[kindOfRecord], detail: `${type} ${shortenLabels(short)}${number}`.trim() };
}
