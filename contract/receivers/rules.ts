import type { ReceiverId } from './receivers.ts';
import type { Severity } from './severity.ts';

// What mailbox providers require of senders, by their own pages. Facts only: the sentences are ours.

/**
 * What the DNS shows of a requirement. `authentication`: SPF or DKIM. `alignment`: by SPF or DKIM that works.
 * `dkim_alignment`: by DKIM.
 */
export type Requirement =
  | 'authentication'
  | 'spf'
  | 'dkim'
  | 'dmarc'
  | 'alignment'
  | 'dkim_alignment'
  | 'soa'
  | 'from_host'
  | 'no_null_mx';

export type Rule = {
  /** Stable: `gmail.dmarc`. */
  id: string;
  receiver: ReceiverId;
  requirement: string;
  /** The day from which it holds, as announced; null if the page has no date. */
  since: string | null;
  /** The day of the page that was read. */
  asOf: string;
  source: string;
  /** What the receiver does with mail that doesn't meet it: of bulk senders, and of others. */
  bulk: Severity;
  others: Severity;
  /** Null: not visible from DNS. */
  shownBy: Requirement | null;
};

type Row = readonly [
  id: string,
  requirement: string,
  severities: 'both refuse' | 'bulk refuses' | 'both limit' | 'bulk limits',
  shownBy: Requirement | null,
  since?: string | null,
];

function rulesOf(
  receiver: ReceiverId,
  asOf: string,
  source: string,
  since: string | null,
  rows: readonly Row[],
): Rule[] {
  return rows.map(([id, requirement, severities, shownBy, own = since]) => {
    const bulk = severities.endsWith('limit') || severities.endsWith('limits') ? 'limits' : 'refuses';
    const others = severities.startsWith('both') ? bulk : 'accepts';
    return { id: `${receiver}.${id}`, receiver, requirement, since: own, asOf, source, bulk, others, shownBy };
  });
}

const GMAIL = rulesOf('gmail', '2026-07-02', 'https://support.google.com/mail/answer/81126', '2024-02-01', [
  ['authentication', 'SPF or DKIM passes.', 'both refuse', 'authentication'],
  ['spf', 'SPF passes, besides DKIM.', 'bulk refuses', 'spf'],
  ['dkim', 'DKIM passes, besides SPF, with a key of at least 1024 bits.', 'bulk refuses', 'dkim'],
  ['dmarc', 'A DMARC record applies to the From domain. Any policy is enough, p=none too.', 'bulk refuses', 'dmarc'],
  ['alignment', 'SPF or DKIM passes for the organizational domain of From.', 'bulk refuses', 'alignment'],
  ['ptr', 'The sending address has a PTR record, whose name leads back to it.', 'both refuse', null],
  ['tls', 'The connection uses TLS.', 'both refuse', null],
  ['format', 'Messages follow RFC 5322.', 'both refuse', null],
  ['impersonation', 'From is no address at gmail.com.', 'both limit', null],
  ['spam_rate', 'Less than 0.3% of recipients report spam; aim for 0.1%.', 'both limit', null],
  [
    'one_click',
    'Marketing mail has a one-click unsubscribe (RFC 8058) and a visible link.',
    'bulk limits',
    null,
    '2024-06-01',
  ],
]);

const GMAIL_ANSWERS = rulesOf('gmail', '2026-07-02', 'https://support.google.com/a/answer/14229414', '2024-02-01', [
  ['unsubscribe', 'Unsubscribes take effect within 48 hours.', 'bulk limits', null],
]);

/** Yahoo announces worse delivery, and names rejection only for mail without any authentication. */
const YAHOO = rulesOf('yahoo', '2026-06-18', 'https://senders.yahooinc.com/best-practices/', '2024-02-01', [
  ['authentication', 'SPF or DKIM passes.', 'both refuse', 'authentication'],
  ['spf', 'SPF passes, besides DKIM.', 'bulk limits', 'spf'],
  ['dkim', 'DKIM passes, besides SPF, with a key of at least 1024 bits.', 'bulk limits', 'dkim'],
  ['dmarc', 'A DMARC record applies to the From domain. Any policy is enough, p=none too.', 'bulk limits', 'dmarc'],
  ['alignment', 'DMARC passes by SPF or DKIM; relaxed alignment is enough.', 'bulk limits', 'alignment'],
  ['ptr', 'The sending address has forward and reverse DNS.', 'both refuse', null],
  ['format', 'Messages follow RFC 5321 and 5322.', 'both refuse', null],
  ['spam_rate', 'Less than 0.3% of delivered mail is reported as spam.', 'both limit', null],
  ['one_click', 'Marketing mail has a List-Unsubscribe header and a visible link.', 'bulk limits', null, '2024-06-01'],
  ['unsubscribe', 'Unsubscribes take effect within two days.', 'bulk limits', null],
]);

const YAHOO_CODES = rulesOf('yahoo', '2026-06-18', 'https://senders.yahooinc.com/smtp-error-codes/', null, [
  ['soa', 'An SOA record is found for the From and MAIL FROM domains.', 'both refuse', 'soa'],
  ['null_mx', 'The From and MAIL FROM domains have no null MX (RFC 7505).', 'both refuse', 'no_null_mx'],
]);

const OUTLOOK = rulesOf(
  'outlook',
  '2025-08-02',
  'https://techcommunity.microsoft.com/blog/microsoftdefenderforoffice365blog/strengthening-email-ecosystem-outlook%E2%80%99s-new-requirements-for-high%E2%80%90volume-senders/4399730',
  '2025-05-05',
  [
    ['spf', 'SPF passes, besides DKIM.', 'bulk refuses', 'spf'],
    ['dkim', 'DKIM passes, besides SPF.', 'bulk refuses', 'dkim'],
    ['dmarc', 'A DMARC record applies to the From domain. Any policy is enough, p=none too.', 'bulk refuses', 'dmarc'],
    ['alignment', 'SPF or DKIM is aligned with From.', 'bulk refuses', 'alignment'],
    ['unsubscribe', 'Bulk mail has a visible unsubscribe link that works.', 'bulk limits', null],
  ],
);

const OUTLOOK_POLICIES = rulesOf(
  'outlook',
  '2026-06-16',
  'https://substrate.office.com/ip-domain-management-snds/Postmaster/Policies',
  null,
  [
    ['ptr', 'The sending address has reverse DNS.', 'both refuse', null],
    ['format', 'Messages follow RFC 5321 and 5322.', 'both refuse', null],
    ['retries', 'No message is sent again after a permanent refusal.', 'both limit', null],
    ['connections', 'At most 500 connections are open at a time.', 'both limit', null],
  ],
);

const APPLE = rulesOf('apple', '2026-03-02', 'https://support.apple.com/102322', '2025-02-25', [
  ['spf', 'SPF passes, besides DKIM.', 'bulk refuses', 'spf'],
  ['dkim', 'DKIM passes, besides SPF.', 'bulk refuses', 'dkim'],
  ['dmarc', 'The sending domain has a DMARC record.', 'bulk refuses', 'dmarc'],
  ['ptr', 'The sending address has reverse DNS with your domain.', 'bulk refuses', null],
  ['format', 'Messages follow RFC 5321 and 5322.', 'bulk refuses', null],
  ['consent', 'Recipients have subscribed themselves.', 'bulk refuses', null],
  ['arc', 'Forwarded mail has ARC headers.', 'bulk refuses', null],
  ['unsubscribe', 'Bulk mail has an unsubscribe link that takes effect at once.', 'bulk refuses', null],
  ['suppression', 'Unsubscribed and suppressed addresses stay so.', 'bulk refuses', null],
]);

const GMX = rulesOf('gmx', '2026-06-22', 'https://postmaster.web.de/en/requirements-and-recommendations', null, [
  [
    'dkim_alignment',
    'DKIM passes for the organizational domain of From; SPF alone is not enough.',
    'both refuse',
    'dkim_alignment',
  ],
  ['from_host', 'The From domain has an MX or A record.', 'both refuse', 'from_host'],
  ['spf', "An SPF record, which is optional, doesn't deny the sending address.", 'both refuse', null],
  ['ptr', 'The PTR record of the sending address is a name of your own, not a generic one.', 'both refuse', null],
  ['format', 'Messages follow RFC 5321 and 5322.', 'both refuse', null],
  ['one_click', 'Bulk mail has a one-click unsubscribe (RFC 8058).', 'bulk limits', null],
]);

export const RULES: readonly Rule[] = [
  ...GMAIL,
  ...GMAIL_ANSWERS,
  ...YAHOO,
  ...YAHOO_CODES,
  ...OUTLOOK,
  ...OUTLOOK_POLICIES,
  ...APPLE,
  ...GMX,
];
