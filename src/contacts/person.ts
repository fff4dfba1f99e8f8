import type { ReadableContact } from '#contract/contact.ts';

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

/** A text in which there is something to see: a name of blanks or control characters would leave a heading empty. */
const seen = (value: unknown) =>
  typeof value === 'string' && /[^\s\p{C}]/u.test(value) ? value.replaceAll(TURNS, '').trim() : '';

/** Marks that turn the direction of all that follows, our own words too. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
