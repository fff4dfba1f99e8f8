import { normalizeDnsName, recordName } from '#contract/values/dnsName.ts';

/** What a finding is about, as receivers see it. `mail_from`: the MX of the MAIL FROM name. `from_host`: MX or address of From. */
export type Purpose = 'dkim' | 'spf' | 'dmarc' | 'mail_from' | 'alignment' | 'soa' | 'from_host' | 'other';

type ListedRecord = { type?: string | null; name?: string | null; value?: string | null };
type SendingNames = { name: string; mail_from_domain?: string | null };

/** What a listed record of a domain is for. */
export function recordPurpose(record: ListedRecord, domain: SendingNames): Purpose {
  return purposesIn(domain)(record);
}

/** Says what each record is for. SPF counts where receivers look for it: at the MAIL FROM name, if the domain has its own. */
export function purposesIn({ name, mail_from_domain }: SendingNames): (record: ListedRecord) => Purpose {
  const own = normalizeDnsName(name) ?? name;
  const mailFrom = normalizeDnsName(mail_from_domain ?? '');
  return (record) => purposeOf(record, own, mailFrom);
}

function purposeOf(record: ListedRecord, own: string, mailFrom: string | null): Purpose {
  const type = record.type?.trim().toUpperCase() ?? '';
  const name = recordName(record.name ?? '', own, mailFrom) ?? '';
  if (/(^|\.)_domainkey\./.test(name)) return 'dkim';
  if (name.startsWith('_dmarc.')) return 'dmarc';
  if (type === 'MX') return name === mailFrom ? 'mail_from' : 'other';
  const isSpf = type === 'CNAME' || (type === 'TXT' && /^\s*"?v=spf1(\s|"|$)/i.test(record.value ?? ''));
  return isSpf && name === (mailFrom ?? (type === 'CNAME' ? null : own)) ? 'spf' : 'other';
}

const ADVICE: Readonly<Record<string, Purpose>> = {
  dmarc: 'dmarc',
  alignment: 'alignment',
  mail_from_spf: 'spf',
  mail_from_mx: 'mail_from',
  from_soa: 'soa',
  mail_from_soa: 'soa',
  from_host: 'from_host',
};

/** What a piece of advice (`about` of the check) is for. */
export function advicePurpose(about: string): Purpose {
  return ADVICE[about] ?? 'other';
}
