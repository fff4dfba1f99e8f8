import type { FileKind } from './fileKind.ts';

// Exports of suppressions: everybody in them is unsubscribed.

const SEEN = '2026-11-29';
const BLOCKS = "Blocks are temporary: these people aren't suppressed, so the file isn't imported.";

const customerio = {
  provider: 'customerio',
  sources: ['https://docs.customer.io/integrations/api/app/tag/esp-suppression/getsuppressionbytype/'],
  seen: SEEN,
  list: 'suppressions',
  has: ['created', 'email'],
  distinctive: ['suppressions'],
  columns: { email: { attribute: 'email' }, created: 'since' },
  others: 'nowhere',
} as const;

const sendgrid = {
  provider: 'sendgrid',
  sources: ['https://www.twilio.com/docs/sendgrid/api-reference/bounces-api/retrieve-all-bounces'],
  seen: SEEN,
  has: ['status', 'reason', 'email', 'created'],
  columns: { email: { attribute: 'email' }, created: 'since' },
  others: 'nowhere',
} as const;

const mailgun = {
  provider: 'mailgun',
  seen: SEEN,
  list: 'items',
  others: 'nowhere',
} as const;

export const SUPPRESSION_KINDS: readonly FileKind[] = [
  {
    ...customerio,
    name: 'bounces',
    title: 'bounces (ESP suppressions)',
    marked: ['category', 'bounces'],
    suppressed: 'bounce',
  },
  {
    ...customerio,
    name: 'spam_reports',
    title: 'spam reports (ESP suppressions)',
    marked: ['category', 'spam_reports'],
    suppressed: 'complaint',
  },
  {
    ...customerio,
    name: 'invalid_emails',
    title: 'invalid addresses (ESP suppressions)',
    marked: ['category', 'invalid_emails'],
    suppressed: 'bounce',
  },
  { ...customerio, name: 'blocks', title: 'blocks', marked: ['category', 'blocks'], refusal: BLOCKS },
  {
    provider: 'brevo',
    name: 'blocked',
    title: 'blocked contacts',
    sources: [
      'https://developers.brevo.com/reference/get-transac-blocked-contacts',
      'https://github.com/getbrevo/brevo-php/blob/HEAD/lib/Model/GetTransacBlockedContactsReason.php',
    ],
    seen: SEEN,
    list: 'contacts',
    has: ['email', 'reason.code', 'blockedat'],
    distinctive: ['blockedat'],
    columns: {
      email: { attribute: 'email' },
      blockedat: 'since',
      'reason.code': {
        reason: {
          hardbounce: 'bounce',
          contactflaggedasspam: 'complaint',
          unsubscribedviama: 'request',
          unsubscribedviaemail: 'request',
          unsubscribedviaapi: 'request',
        },
      },
    },
    others: 'nowhere',
    suppressed: 'other',
  },
  { ...sendgrid, name: 'bounces', title: 'bounces', suppressed: 'bounce' },
  { ...sendgrid, name: 'blocks', title: 'blocks', refusal: BLOCKS },
  {
    ...sendgrid,
    name: 'spam_reports',
    title: 'spam reports',
    sources: [
      'https://docs.rs/sendgrid-api/0.7.0/sendgrid_api/types/struct.SpamReportsResponse.html',
      'https://static0.twilio.com/docs/sendgrid/v2-api/customer_subuser_api/subuser_spam_reports',
    ],
    suppressed: 'complaint',
  },
  {
    ...sendgrid,
    name: 'spam_reports',
    title: 'spam reports',
    sources: ['https://docs.rs/sendgrid-api/0.7.0/sendgrid_api/types/struct.SpamReportsResponse.html'],
    has: ['email', 'created', 'ip'],
    suppressed: 'complaint',
  },
  {
    ...sendgrid,
    name: 'invalid_emails',
    title: 'invalid addresses',
    sources: ['https://docs.rs/sendgrid-api/0.7.0/sendgrid_api/types/struct.InvalidEmail.html'],
    has: ['email', 'created', 'reason'],
    hasNot: ['status'],
    suppressed: 'bounce',
  },
  {
    ...sendgrid,
    name: 'unsubscribes',
    title: 'global unsubscribes',
    sources: ['https://docs.rs/sendgrid-api/0.7.0/sendgrid_api/suppressions_global/index.html'],
    has: ['email', 'created'],
    hasNot: ['reason', 'ip'],
    suppressed: 'request',
  },
  {
    provider: 'ses',
    name: 'suppressed',
    title: 'suppressed destinations',
    sources: [
      'https://docs.aws.amazon.com/goto/cli2/sesv2-2019-09-27/ListSuppressedDestinations',
      'https://github.com/boto/botocore/blob/develop/botocore/data/sesv2/2019-09-27/service-2.json',
    ],
    seen: SEEN,
    list: 'SuppressedDestinationSummaries',
    has: ['emailaddress', 'reason', 'lastupdatetime'],
    distinctive: ['suppresseddestinationsummaries'],
    columns: {
      emailaddress: { attribute: 'email' },
      reason: { reason: { bounce: 'bounce', complaint: 'complaint' } },
      lastupdatetime: 'since',
    },
    others: 'nowhere',
    suppressed: 'other',
  },
  {
    provider: 'postmark',
    name: 'suppressions',
    title: 'suppressions of a message stream',
    sources: ['https://postmarkapp.com/developer/api/suppressions-api'],
    seen: SEEN,
    list: 'Suppressions',
    has: ['emailaddress', 'suppressionreason', 'createdat'],
    distinctive: ['suppressionreason'],
    columns: {
      emailaddress: { attribute: 'email' },
      suppressionreason: { reason: { hardbounce: 'bounce', spamcomplaint: 'complaint' } },
      // Of a manual suppression.
      origin: { reason: { recipient: 'request' } },
      createdat: 'since',
    },
    others: 'nowhere',
    suppressed: 'other',
  },
  {
    ...mailgun,
    name: 'bounces',
    title: 'bounces',
    sources: [
      'https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/bounces/post-v3--domainid--bounces-import',
    ],
    has: ['address', 'code', 'created_at'],
    distinctive: ['messagehash'],
    columns: { address: { attribute: 'email' }, created_at: 'since' },
    suppressed: 'bounce',
  },
  {
    ...mailgun,
    name: 'unsubscribes',
    title: 'unsubscribes',
    sources: [
      'https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/unsubscribe/post-v3--domainid--unsubscribes-import',
    ],
    has: ['address', 'tags', 'created_at'],
    columns: {
      address: { attribute: 'email' },
      created_at: 'since',
      tags: { accepts: ['*'], otherwise: 'This is an unsubscribe from mail with a tag, not from all mail.' },
    },
    suppressed: 'request',
  },
  {
    ...mailgun,
    name: 'complaints',
    title: 'complaints',
    sources: ['https://www.withone.ai/knowledge/mailgun/conn_mod_def%3A%3AGJ42qHXIDzM%3A%3AmXdX1pEJSmCiu9ySQ8vp3A'],
    has: ['address', 'created_at'],
    hasNot: ['code', 'tags'],
    columns: { address: { attribute: 'email' }, created_at: 'since' },
    suppressed: 'complaint',
  },
];
