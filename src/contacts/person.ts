import type { ReadableContact } from '#contract/contact.ts';
import { hasVisibleText, escapeHidden } from '#contract/invisibleCharacters.ts';

/** What one calls the person: the name, else the address, else the number, else the UUID. */
export function personName(contact: ReadableContact): string {
  const { first_name, last_name } = contact.attributes ?? {};
  const name = [toVisibleText(first_name), toVisibleText(last_name)].filter((part) => part !== '').join(' ');
  return name || personAddress(contact) || contact.uuid;
}

/** Email or phone, or an empty text. */
export function personAddress(contact: ReadableContact): string {
  const { email, phone } = contact.attributes ?? {};
  return toVisibleText(email) || toVisibleText(phone);
}

/** A text in which there is something to see, and what hides in it named: a name of nothing else would leave a heading empty. */
const toVisibleText = (value: unknown) =>
  typeof value === 'string' && hasVisibleText(value) ? escapeHidden(value.trim()) : '';
