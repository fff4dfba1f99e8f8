import type { FileKind, Target } from './fileKind.ts';

// Exports of contacts. Phone numbers stay attributes of their own name: as an identity, a number that people share would refuse them.

const SEEN = '2026-11-29';

const NO_MAIL: Target = {
  subscribed: { true: false, yes: false, '1': false, false: true, no: true, '0': true },
  why: 'request',
};

const NAMES = { 'first name': { attribute: 'first_name' }, 'last name': { attribute: 'last_name' } } as const;

/** What means something in Mailchimp only; of the rest, what shows a consent stays. */
const MAILCHIMP_COLUMNS: FileKind['columns'] = {
  'email address': { attribute: 'email' },
  ...NAMES,
  optin_time: { attribute: 'optin_time' },
  optin_ip: { attribute: 'optin_ip' },
  confirm_time: { attribute: 'confirm_time' },
  confirm_ip: { attribute: 'confirm_ip' },
  notes: { attribute: 'notes' },
  tags: { attribute: 'tags' },
  unsub_time: 'since',
  // Somebody who marked a campaign as spam; the rest is a choice of the form, such as NORMAL or NOSIGNUP.
  unsub_reason: { reason: { abuse: 'complaint', spam: 'complaint' }, keptAs: 'unsub_reason' },
  unsub_reason_other: { attribute: 'unsub_reason_other' },
  unsub_campaign_title: { attribute: 'unsub_campaign_title' },
  clean_time: 'since',
  clean_campaign_title: { attribute: 'clean_campaign_title' },
  unsub_campaign_id: 'nowhere',
  clean_campaign_id: 'nowhere',
  member_rating: 'nowhere',
  latitude: 'nowhere',
  longitude: 'nowhere',
  gmtoff: 'nowhere',
  dstoff: 'nowhere',
  timezone: 'nowhere',
  cc: 'nowhere',
  region: 'nowhere',
  last_changed: 'nowhere',
  leid: 'nowhere',
  euid: 'nowhere',
};

/** Mailchimp documents what its lists are, not their columns: these are in public programs that read them. */
const mailchimp = {
  provider: 'mailchimp',
  sources: ['https://kb.mailchimp.com/lists/managing-subscribers/view-unsubscribed-and-cleaned-addresses'],
  seen: SEEN,
  has: ['email address', 'member_rating', 'optin_time'],
  hasNot: ['unsub_time', 'clean_time'],
  distinctive: ['member_rating'],
  columns: MAILCHIMP_COLUMNS,
  others: 'attributes',
} as const;

const brevo = {
  provider: 'brevo',
  sources: [
    'https://developers.brevo.com/reference/request-contact-export',
    'https://help.brevo.com/hc/en-us/articles/208729849-Format-your-contact-import-file',
  ],
  seen: SEEN,
  has: ['email', 'added_time'],
  distinctive: ['modified_time', '_listids'],
  columns: {
    email: { attribute: 'email' },
    firstname: { attribute: 'first_name' },
    lastname: { attribute: 'last_name' },
    added_time: 'created_at',
    modified_time: 'nowhere',
    _listids: 'nowhere',
  },
  others: 'attributes',
} as const;

export const CONTACT_KINDS: readonly FileKind[] = [
  { ...mailchimp, name: 'subscribed', title: 'subscribed contacts' },
  { ...mailchimp, name: 'nonsubscribed', title: 'non-subscribed contacts', suppressed: 'other' },
  {
    ...mailchimp,
    name: 'unsubscribed',
    title: 'unsubscribed contacts',
    has: [...mailchimp.has, 'unsub_time'],
    hasNot: [],
    suppressed: 'request',
  },
  {
    ...mailchimp,
    name: 'cleaned',
    title: 'cleaned contacts',
    has: [...mailchimp.has, 'clean_time'],
    hasNot: [],
    suppressed: 'bounce',
  },
  {
    provider: 'hubspot',
    name: 'contacts',
    title: 'contacts',
    sources: [
      'https://knowledge.hubspot.com/contacts/import-an-opt-out-list',
      'https://knowledge.hubspot.com/nl/contacts/how-can-i-see-if-a-contact-opted-out-of-email-communication',
      'https://getcapt.com/blog/hubspot-csv-import-template',
    ],
    seen: SEEN,
    has: ['email', 'unsubscribed from all email'],
    distinctive: ['unsubscribed from all email'],
    columns: {
      email: { attribute: 'email' },
      ...NAMES,
      'company name': { attribute: 'company' },
      'job title': { attribute: 'job_title' },
      'unsubscribed from all email': NO_MAIL,
      'email hard bounce reason': { filled: 'bounce', keptAs: 'Email hard bounce reason' },
    },
    others: 'attributes',
  },
  {
    provider: 'customerio',
    name: 'people',
    title: 'people',
    sources: ['https://docs.customer.io/messaging/people/reserved-attributes/'],
    seen: SEEN,
    has: ['cio_id', 'email', 'unsubscribed'],
    distinctive: ['cio_id'],
    columns: {
      email: { attribute: 'email' },
      created_at: 'created_at',
      unsubscribed: NO_MAIL,
      cio_id: 'nowhere',
    },
    others: 'attributes',
  },
  { ...brevo, name: 'subscribed', title: 'subscribed contacts' },
  { ...brevo, name: 'unsubscribed', title: 'unsubscribed contacts', suppressed: 'request' },
  {
    provider: 'sendgrid',
    name: 'contacts',
    title: 'marketing contacts',
    sources: [
      'https://github.com/sendgrid/docs/blob/c3eb3fef/content/docs/ui/managing-contacts/formatting-a-csv.md',
      'https://github.com/sendgrid/docs/blob/c3eb3fef/content/docs/for-developers/sending-email/segmentation-query-language.md',
    ],
    seen: SEEN,
    has: ['email', 'first_name', 'last_name'],
    columns: {
      email: { attribute: 'email' },
      first_name: { attribute: 'first_name' },
      last_name: { attribute: 'last_name' },
      contact_id: 'nowhere',
      created_at: 'created_at',
      updated_at: 'nowhere',
    },
    others: 'attributes',
  },
];
