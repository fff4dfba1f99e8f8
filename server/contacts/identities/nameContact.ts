import type { Attributes } from '#contract/values/field.ts';

/**
 * What tells people who a contact is: first and last name, and its email, else its phone; null where it has none. `attributes` are
 * as stored; null where the contact is gone.
 */
export function nameContact(attributes: string | null): { name: string | null; address: string | null } {
  const { first_name, last_name, email, phone } = JSON.parse(attributes ?? '{}') as Attributes;
  const name = [first_name, last_name].flatMap((part) => toText(part) ?? []).join(' ');
  return { name: name === '' ? null : name, address: toText(email) ?? toText(phone) };
}

const toText = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);
