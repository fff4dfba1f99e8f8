import type { ReadableContact } from '#contract/contact.ts';
import { hasVisibleText, escapeHidden } from '#contract/values/invisibleCharacters.ts';

export type Person = { name: string; email: string; company: string };

export function toPerson(contact: ReadableContact): Person {
  const { email, company } = contact.attributes ?? {};
  return { name: fullName(contact), email: toVisibleText(email), company: toVisibleText(company) };
}

export function personName(contact: ReadableContact): string {
  return fullName(contact) || personAddress(contact) || contact.uuid;
}

export function personAddress(contact: ReadableContact): string {
  const { email, phone } = contact.attributes ?? {};
  return toVisibleText(email) || toVisibleText(phone);
}

function fullName(contact: ReadableContact): string {
  const { first_name, last_name } = contact.attributes ?? {};
  return [toVisibleText(first_name), toVisibleText(last_name)].filter((part) => part !== '').join(' ');
}

/** Invisible characters are escaped; empty if nothing is visible. */
const toVisibleText = (value: unknown) =>
  typeof value === 'string' && hasVisibleText(value) ? escapeHidden(value.trim()) : '';
