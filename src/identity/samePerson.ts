import type { ReadableContact } from '#contract/contact.ts';
import { foldText } from './foldText.ts';

/**
 * Those of `contacts` that may be the same person as `contact`: they share its name, and its phone or its company. A
 * company has several people of one first name, so there the whole name counts.
 */
export function findSamePerson(contact: ReadableContact, contacts: readonly ReadableContact[]): ReadableContact[] {
  const own = readTraits(contact);
  if (own.name === '') return [];
  return contacts.filter((other) => {
    const { name, isWhole, phone, company } = readTraits(other);
    if (other.uuid === contact.uuid || name !== own.name) return false;
    return (phone !== '' && phone === own.phone) || (isWhole && company !== '' && company === own.company);
  });
}

/** What a list is searched for to find the same person; null where the contact has no name, or nothing else to compare. */
export function samePersonSearch(contact: ReadableContact): string | null {
  const { phone, company, isWhole } = readTraits(contact);
  const { first_name, last_name } = contact.attributes ?? {};
  const name = [first_name, last_name].filter(isText).join(' ').trim();
  return name !== '' && (phone !== '' || (isWhole && company !== '')) ? name : null;
}

function readTraits({ attributes }: ReadableContact) {
  const { first_name, last_name, phone, company } = attributes ?? {};
  const names = [fold(first_name), fold(last_name)];
  return {
    name: names.join(' ').trim(),
    isWhole: !names.includes(''),
    // Of the ways to write a number, the last nine digits are the same.
    phone: isText(phone) ? phone.replaceAll(/\D/g, '').slice(-9) : '',
    company: fold(company),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

const fold = (value: unknown): string => (isText(value) ? foldText(value) : '');
