import type { ReadableDnsRecord } from '#contract/domains/domain.ts';
import { normalizedNames, resolveFullName, type SendingDomain } from './recordName.ts';

export const RECORD_KINDS = ['dkim', 'mailFrom', 'spf', 'dmarc', 'other'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export const RECORD_KIND_LABELS: Record<RecordKind, string> = {
  dkim: 'DKIM',
  mailFrom: 'MAIL FROM',
  spf: 'SPF',
  dmarc: 'DMARC',
  other: 'Other',
};

/** The types that are checked (docs/dns-check.md). */
const CHECKED = /^(CNAME|MX|TXT|A|AAAA|NS)$/i;

function kindOfName(host: string): RecordKind | null {
  if (/(^|\.)_domainkey(\.|$)/.test(host)) return 'dkim';
  return /^_dmarc(\.|$)/.test(host) ? 'dmarc' : null;
}

/** What `record` is for, by its name or else by its value. Types that are not checked are `other`. */
export function classifyRecord(record: ReadableDnsRecord, domain: SendingDomain): RecordKind {
  const { type, name, value } = record;
  if (!CHECKED.test(type ?? '')) return 'other';
  const written = (name ?? '').trim().toLowerCase();
  const host = resolveFullName(record, domain) ?? written;
  const byName = kindOfName(written) ?? kindOfName(host);
  if (byName !== null) return byName;
  if (host !== '' && host === normalizedNames(domain).mailFrom) return 'mailFrom';
  return /^TXT$/i.test(type ?? '') && /^\s*"?v=spf1(\s|"|$)/i.test(value ?? '') ? 'spf' : 'other';
}

/** The kind of record that a piece of advice belongs to. */
export function classifyAdvice(about: string): RecordKind {
  if (about === 'dmarc') return 'dmarc';
  return about.startsWith('mail_from') ? 'mailFrom' : 'other';
}
