import type { ReadableContact } from '#contract/contact.ts';
import { isSeen, shown } from '#contract/visible.ts';

/** What one calls the person: the name, else the address, else the number, else the UUID. */
export function personName(contact: ReadableContact): string {
  const { first_name, last_name } = contact.attributes ?? {};
  const name = [seen(first_name), seen(last_name)].filter((part) => part !== '').join(' ');
  return name || personAddress(contact) || contact.uuid;
}

/** Email or phone, or an empty text. */
export function personAddress(contact: ReadableContact): string {
  const { email, phone } = contact.attributes ?? {};
  return seen(email) || seen(phone);
}

/** A text in which there is something to see, and what hides in it named: a name of nothing else would leave a heading empty. */
const seen = (value: unknown) => (typeof value === 'string' && isSeen(value) ? shown(value.trim()) : '');
