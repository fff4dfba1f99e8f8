import type { ReadableContact } from '#contract/contact.ts';
import { foldText } from '#contract/words/foldText.ts';

/** The same name, and the same phone or company. In a company, the full name counts. */
export function findSamePerson(contact: ReadableContact, contacts: readonly ReadableContact[]): ReadableContact[] {
  const own = readTraits(contact);
  if (own.name === '') return [];
  return contacts.filter((other) => {
    const { name, isWhole, phone, company } = readTraits(other);
    if (other.uuid === contact.uuid || name !== own.name) return false;
    return (phone !== '' && phone === own.phone) || (isWhole && company !== '' && company === own.company);
  });
}

/** Null if there's too little to compare. */
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
    // However it's written, the last nine digits are the same.
    phone: isText(phone) ? phone.replaceAll(/\D/g, '').slice(-9) : '',
    company: fold(company),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

const fold = (value: unknown): string => (isText(value) ? foldText(value) : '');
