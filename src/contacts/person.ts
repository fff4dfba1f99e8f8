import type { ReadableContact } from '#contract/contact.ts';

/** What one calls the person: the name, else the address, else the number, else the UUID. */
export function personName(contact: ReadableContact): string {
  const { first_name, last_name } = contact.attributes ?? {};
  const name = [first_name, last_name].filter((part) => typeof part === 'string' && part.trim() !== '').join(' ');
  return name || personAddress(contact) || contact.uuid;
}

/** Email or phone, or an empty text. */
export function personAddress(contact: ReadableContact): string {
  const { email, phone } = contact.attributes ?? {};
  if (typeof email === 'string' && email !== '') return email;
  return typeof phone === 'string' ? phone : '';
}
