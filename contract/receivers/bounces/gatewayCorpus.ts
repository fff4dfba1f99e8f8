import type { Chapter } from './chapter.ts';

// Of gateways, block lists and mail servers in general.

/** Replies that were seen, by provider. */
const FIELD_MANUAL = 'https://github.com/ActiveCampaign/smtp-field-manual';

export const GATEWAYS: readonly Chapter[] = [
  {
    systems: ['mimecast'],
    asOf: null,
    source: 'https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes',
    rows: [
      ['550', 'dmarc sender invalid', 'dmarc_policy'],
      ['550', 'spf sender invalid', 'spf_failed'],
      ['550', 'dkim sender invalid', 'dkim_failed'],
      ['550', 'anti-spoofing policy', 'spoofing'],
      ['550', 'envelope blocked', 'recipient_policy'],
      ['550', 'blocked senders', 'recipient_policy'],
      ['554', 'due to security policies', 'content'],
      ['554', 'host network', 'recipient_policy'],
      ['451', 'temporarily unavailable', 'greylisted'],
      ['550', 'invalid recipient', 'no_mailbox'],
    ],
  },
  {
    systems: ['proofpoint'],
    asOf: null,
    source: FIELD_MANUAL,
    rows: [
      ['', 'dmarc policy', 'dmarc_policy'],
      ['', "per sender's spf policy", 'spf_denied'],
      ['', 'blocked using', 'ip_blocked'],
      ['5.1.8', 'domain of sender address does not exist', 'domain_not_found'],
    ],
  },
  {
    systems: ['barracuda'],
    asOf: null,
    source: FIELD_MANUAL,
    rows: [
      ['550', 'rejecting spoofed message', 'spoofing'],
      ['554', 'barracuda reputation', 'ip_listed'],
      ['550', ':blocked)', 'local_policy'],
      ['554', 'spam url in content', 'content'],
      ['554', 'rejecting banned content', 'content'],
    ],
  },
  {
    systems: ['symantec'],
    asOf: null,
    source: FIELD_MANUAL,
    rows: [['553', 'message filtered', 'content']],
  },
  {
    systems: ['trendmicro'],
    asOf: null,
    source: FIELD_MANUAL,
    rows: [
      ['', 'ers-customized-block', 'recipient_policy'],
      ['', 'block-send-er', 'recipient_policy'],
      ['', 'block-rcpt', 'recipient_policy'],
    ],
  },
  {
    systems: ['tonline'],
    asOf: null,
    source: 'https://postmaster.t-online.de/index.en.html',
    rows: [
      ['554', 'a problem occurred', 'ip_blocked'],
      ['554', 'bad reputation', 'ip_reputation'],
      ['554', 'dialup/transient ip', 'dynamic_ip'],
    ],
  },
];

/** Defaults of Postfix, Exim and other servers, of Cisco's gateway and of block lists: anybody may answer like that. */
export const SERVERS: Chapter = {
  systems: [],
  asOf: null,
  source: FIELD_MANUAL,
  rows: [
    ['', 'cannot find your hostname', 'ptr'],
    ['', 'cannot find your reverse hostname', 'ptr'],
    ['', 'must have a ptr record', 'ptr'],
    ['', 'sender address rejected: domain not found', 'domain_not_found'],
    ['', 'dmarc policy', 'dmarc_policy'],
    ['', 'dmarc failure for domain', 'dmarc_policy'],
    ['', 'rejected due to dmarc', 'dmarc_policy'],
    ['', 'dmarc unauthenticated mail is prohibited', 'dmarc_policy'],
    ['', 'spf unauthorized mail is prohibited', 'spf_failed'],
    ['', 'dkim unauthenticated mail is prohibited', 'dkim_failed'],
    ['', 'sender policy framework violation', 'spf_failed'],
    ['', 'spf-check failed', 'spf_failed'],
    ['', 'spf check failed', 'spf_failed'],
    ['', 'spf fail', 'spf_failed'],
    ['', 'openspf.net/why', 'spf_failed'],
    ['', "sending mta's poor reputation", 'ip_reputation'],
    ['', 'sender address [', 'domain_listed'],
    ['', 'dbl.spamhaus.org', 'domain_listed'],
    ['', 'zen.spamhaus.org', 'ip_listed'],
    ['', 'spamhaus.org/query/ip/', 'ip_listed'],
    ['', 'bl.spamcop.net', 'ip_listed'],
    ['', 'barracudacentral.org', 'ip_listed'],
    ['', 'user unknown', 'no_mailbox'],
    ['', 'unknown user', 'no_mailbox'],
    ['', 'user not found', 'no_mailbox'],
    ['', 'no such user', 'no_mailbox'],
    ['', 'greylist', 'greylisted'],
    ['', 'helo command rejected', 'helo'],
    ['', 'relay access denied', 'relay_denied'],
    ['', 'relay not permitted', 'relay_denied'],
    ['', 'sender verify failed', 'sender_refused'],
    ['', 'message size exceeds', 'too_large'],
  ],
};

/** Codes whose registered meaning receivers keep. 4.7.23, X.7.27, X.7.29 and X.7.30 mean something else at Gmail. */
export const REGISTERED: Chapter = {
  systems: [],
  asOf: '2024-12-06',
  source: 'https://www.iana.org/assignments/smtp-enhanced-status-codes/smtp-enhanced-status-codes.xhtml',
  rows: [
    ['5.1.10', 'null mx', 'recipient_null_mx'],
    ['5.7.27', 'null mx', 'sender_null_mx'],
    ['5.1.1', '', 'no_mailbox'],
    ['5.1.6', '', 'no_mailbox'],
    ['4.2.2', '', 'mailbox_full'],
    ['5.2.2', '', 'mailbox_full'],
    ['5.3.4', '', 'too_large'],
    ['5.7.20', '', 'dkim_failed'],
    ['5.7.22', '', 'not_aligned'],
    ['5.7.23', '', 'spf_failed'],
    ['5.7.25', '', 'ptr'],
    ['4.7.25', '', 'ptr'],
    ['5.7.26', '', 'authentication'],
  ],
};
