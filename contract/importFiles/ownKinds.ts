import { SUBSCRIBED_WORDS } from './consents.ts';
import type { FileKind, Target } from './fileKind.ts';
import { SUPPRESSION_REASONS } from '#contract/suppressions/suppression.ts';

// What we export ourselves: the console as CSV and NDJSON, the command as NDJSON, the service as pages of a list.

const own = {
  provider: 'sendroom',
  sources: ['docs/admin.md#import'],
  seen: '2026-11-30',
  list: 'data',
} as const;

const REASON: Target = { reason: Object.fromEntries(SUPPRESSION_REASONS.map((reason) => [reason, reason])) };

const contacts = {
  ...own,
  name: 'contacts',
  title: 'contacts',
  columns: {
    uuid: 'uuid',
    subscribed: { subscribed: SUBSCRIBED_WORDS, why: 'unknown' },
    attributes: 'attributes',
    created_at: 'created_at',
    updated_at: 'updated_at',
    provider: 'nowhere',
    'suppression.reason': REASON,
    'suppression.since': 'since',
    'suppression.ticket': 'nowhere',
    'suppression.origin': 'nowhere',
  },
  others: 'attributes',
} as const;

export const OWN_KINDS: readonly FileKind[] = [
  { ...contacts, has: ['uuid', 'subscribed'], distinctive: ['attributes', 'attributes.email'] },
  { ...contacts, has: ['uuid', 'attributes.email'], hasNot: ['subscribed'], distinctive: ['attributes.email'] },
  {
    ...own,
    name: 'unsubscribed',
    title: 'unsubscribed contacts',
    has: ['contact.uuid', 'reason', 'origin', 'since'],
    distinctive: ['contact.uuid'],
    columns: {
      'contact.uuid': 'uuid',
      'contact.attributes': 'attributes',
      'contact.created_at': 'created_at',
      'contact.updated_at': 'updated_at',
      reason: REASON,
      since: 'since',
    },
    others: 'nowhere',
    suppressed: 'unknown',
  },
];
