/** Yahoo refuses mail for these, in bulk or not (senders.yahooinc.com/best-practices, July 2026). */
const ALWAYS_REFUSED = new Set(['SOA_NOT_FOUND']);

// In bulk, Gmail, Yahoo, Outlook.com and iCloud require SPF, and a DMARC record that is aligned with it or with DKIM
// (support.google.com/mail/answer/81126, support.apple.com/102322, July 2026).
const WITHOUT_DMARC = ['DMARC_ABSENT', 'DMARC_AT_DOMAIN', 'SEVERAL_DMARC', 'NOT_ALIGNED'];
const DMARC_ELSEWHERE = ['NAME_DOUBLED', 'WRONG_HOST', 'UNDERSCORE_LOST', 'UNDERSCORE_DOUBLED'];
const WITHOUT_SPF = ['SPF_MISSING', 'SPF_OLD_TYPE', 'SPF_SENDER_ID', 'SPF_VERSION'];
const BROKEN_SPF = [
  'SEVERAL_SPF',
  'SPF_SYNTAX',
  'SPF_TOO_LONG',
  'SPF_INCLUDE_BROKEN',
  'SPF_TOO_MANY_LOOKUPS',
  'SPF_VOID_LOOKUPS',
  'SPF_LOOP',
  'SPF_TOO_MANY_MX',
];
const REFUSED_IN_BULK = new Set([...WITHOUT_DMARC, ...DMARC_ELSEWHERE, ...WITHOUT_SPF, ...BROKEN_SPF]);

/** Whether a large receiver refuses the mail of a domain with this advice. */
export function isRefusedFor(code: string, sendsBulk: boolean): boolean {
  return ALWAYS_REFUSED.has(code) || (sendsBulk && REFUSED_IN_BULK.has(code));
}
