import type { ReadableContact } from '#contract/contact.ts';
import { hasVisibleText, escapeHidden } from '#contract/invisibleCharacters.ts';

/** A name to display: that of the person, else the email, else the phone number, else the UUID. */
export function personName(contact: ReadableContact): string {
  const { first_name, last_name } = contact.attributes ?? {};
  const name = [toVisibleText(first_name), toVisibleText(last_name)].filter((part) => part !== '').join(' ');
  return name || personAddress(contact) || contact.uuid;
}

/** Email, else phone, else an empty text. */
export function personAddress(contact: ReadableContact): string {
  const { email, phone } = contact.attributes ?? {};
  return toVisibleText(email) || toVisibleText(phone);
}

/** `value` with its invisible characters escaped; empty where it is no text, or has nothing visible to show. */
const toVisibleText = (value: unknown) =>
  typeof value === 'string' && hasVisibleText(value) ? escapeHidden(value.trim()) : '';
