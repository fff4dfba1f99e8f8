import type { ReadableActor } from '#contract/change.ts';
import { labelOr } from '../ui/format/labelOr.ts';

export function describeActor({ kind, uuid, name, email }: ReadableActor): string {
  return name ?? email ?? uuid ?? (kind === 'command' ? 'Command line' : kind);
}

const SUBSCRIBED = 'subscribed';
export const ACTIONS: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Changed',
  import: 'Changed',
  unsubscribe: 'Unsubscribed',
  unsubscribe_again: 'Unsubscribed again',
  subscribe: 'Subscribed again',
};

/** Of a line of an unsubscribe that changed nothing: they were unsubscribed for a weaker reason, or without one. */
export function describeRecorded(reason: string | null | undefined): string {
  if (reason === 'complaint') return 'Complaint recorded';
  return reason === 'legal' ? 'Legal reason recorded' : 'Reason recorded';
}

const FACTS: Readonly<Record<string, string>> = {
  'suppression.reason': 'unsubscribe reason',
  'suppression.since': 'unsubscribe date',
};

/** What a field of a change is called: an attribute by its key. */
export const fieldName = (field: string): string =>
  field.startsWith('suppression.') ? labelOr(FACTS, field) : field.replace(/^attributes\./, '');

/** Fields shown before "and 3 more". */
const FIELDS = 3;

type ContactChange = { action: string; fields: readonly string[]; field_count?: number; reason?: string | null };

/** "Unsubscribed", "Changed plan, seats and 2 more". */
export function describeChange({ action, fields, field_count = fields.length, reason }: ContactChange): string {
  const names = fields.filter((field) => field !== SUBSCRIBED).map(fieldName);
  const more = field_count - (fields.length - names.length) - Math.min(names.length, FIELDS);
  const changed = names.slice(0, FIELDS).join(', ') + (more > 0 ? ` and ${more} more` : '');
  // Only an import changes both at once.
  if (action === 'import' && fields.includes(SUBSCRIBED))
    return names.length === 0 ? 'Unsubscribed' : `Unsubscribed, changed ${changed}`;
  if (action === 'unsubscribe' && field_count === 0) return describeRecorded(reason);
  return `${labelOr(ACTIONS, action)} ${changed}`.trim();
}
