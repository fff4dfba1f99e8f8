import type { RecordData } from './recordData.ts';

/** Of these, a name can have only one. */
export type SingletonKind = 'SPF' | 'DMARC' | 'DKIM';

export function findSingletonKind({ type, name, value }: Omit<RecordData, 'priority'>): SingletonKind | null {
  if (type.toUpperCase() !== 'TXT') return null;
  if (/^v=spf1(\s|$)/i.test(value)) return 'SPF';
  if (/^_dmarc\./i.test(name)) return 'DMARC';
  return /(^|\.)_domainkey\./i.test(name) ? 'DKIM' : null;
}

/** What a published text is next to a wanted one of this kind. `unclear`: only a person can tell whether it must go. */
export function compareKind(kind: SingletonKind, text: string): 'same' | 'other' | 'unclear' {
  if (kind === 'DKIM') return 'same';
  if (kind === 'DMARC') return /dmarc/i.test(text) ? 'same' : 'unclear';
  // The check offers an SPF record that also replaces broken ones (server/dns/verifyOffer.ts).
  if (/^\W*v=spf1/i.test(text)) return 'same';
  return /spf|ip4:|include:/i.test(text) ? 'unclear' : 'other';
}
