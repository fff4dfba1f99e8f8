import type { ReadableContact } from '#contract/contact.ts';
import { hasVisibleText, escapeHidden } from '#contract/values/invisibleCharacters.ts';

/** Who a contact is, to be kept beside it; empty texts where it has none. */
export type Person = { name: string; email: string; company: string };

export function toPerson(contact: ReadableContact): Person {
  const { email, company } = contact.attributes ?? {};
  return { name: fullName(contact), email: toVisibleText(email), company: toVisibleText(company) };
}

/** A name to display: that of the person, else the email, else the phone number, else the UUID. */
export function personName(contact: ReadableContact): string {
  return fullName(contact) || personAddress(contact) || contact.uuid;
}

/** Email, else phone, else an empty text. */
export function personAddress(contact: ReadableContact): string {
  const { email, phone } = contact.attributes ?? {};
  return toVisibleText(email) || toVisibleText(phone);
}

/** First and last name, else an empty text. */
function fullName(contact: ReadableContact): string {
  const { first_name, last_name } = contact.attributes ?? {};
  return [toVisibleText(first_name), toVisibleText(last_name)].filter((part) => part !== '').join(' ');
}

/** `value` with its invisible characters escaped; empty where it is no text, or has nothing visible to show. */
const toVisibleText = (value: unknown) =>
  typeof value === 'string' && hasVisibleText(value) ? escapeHidden(value.trim()) : '';
