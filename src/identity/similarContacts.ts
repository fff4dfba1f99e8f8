import { listContacts } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { SEARCH_MAX } from '#contract/list.ts';
import { findByValues, type Read } from './findContact.ts';
import { type Identity, parseIdentity } from './parse/parseIdentity.ts';
import { searchTermsOf, valuesToTry } from './parse/readSearch.ts';
import { measureDistance, suggestAddresses } from './parse/suggestAddresses.ts';
import { toPerson } from './person.ts';

/** `value` finds the contact. `record` is null if the service can't return it. */
type SimilarContact = { value: string; record: ReadableContact | null };

type Access = { hasAdditions: boolean; read: Read };

/** Contacts of one search that are compared. */
const COMPARED_MAX = 25;
/** More digits than most contacts share. */
const DIGITS_MIN = 6;
/** Of half a name. Fewer are in too many. */
const LETTERS_MIN = 3;

/** Contacts with a similar identity: a typo in an email, a phone without country code or plus, another letter case. */
export async function findSimilar(values: readonly string[], access: Access): Promise<SimilarContact[]> {
  const identity = parseIdentity(values[0] ?? '', undefined);
  if (!identity.ok || identity.kind === 'uuid') return [];
  if (identity.kind === 'phone') return findByDigits(identity, access);
  const near =
    identity.kind === 'email'
      ? await suggestNear(values[0] ?? '', access)
      : valuesToTry(identity).filter((value) => !values.includes(value));
  const found = new Map<string, SimilarContact>();
  if (identity.kind === 'email')
    for (const one of await findByMailbox(values[0] ?? '', access)) found.set(one.value, one);
  for (const value of near) {
    const match = await findByValues([value], access.hasAdditions, access.read);
    if (match !== null) found.set(match.answer?.uuid ?? value, { value, record: match.answer });
  }
  return [...found.values()];
}

async function suggestNear(address: string, access: Access): Promise<string[]> {
  const alike = await search(address.slice(0, address.lastIndexOf('@')), access);
  const domains = alike.map((contact) => toPerson(contact).email.replace(/^.*@/, '').toLowerCase());
  return suggestAddresses(
    address,
    domains.filter((domain) => domain !== ''),
  );
}

/** Those at the same domain of which one letter before the @ is another, more, less or swapped: it is in one half, and the other is searched for. */
async function findByMailbox(address: string, access: Access): Promise<SimilarContact[]> {
  const at = address.lastIndexOf('@');
  const [name, domain] = [address.slice(0, at).toLowerCase(), address.slice(at).toLowerCase()];
  const middle = Math.ceil(name.length / 2);
  const halves = [name.slice(0, middle), name.slice(middle)];
  for (const half of halves.filter((letters) => letters.length >= LETTERS_MIN)) {
    const similar = (await search(`${half} ${domain}`, access)).flatMap((record) => {
      const email = toPerson(record).email;
      const isNear =
        email.toLowerCase().endsWith(domain) &&
        measureDistance(email.slice(0, -domain.length).toLowerCase(), name, 1) === 1;
      return isNear ? [{ value: email, record }] : [];
    });
    if (similar.length > 0) return similar;
  }
  return [];
}

async function findByDigits(identity: Identity, access: Access): Promise<SimilarContact[]> {
  const digits = (identity.values.at(-1) ?? '').replaceAll(/\D/g, '').replace(/^0+/, '');
  if (digits.length < DIGITS_MIN) return [];
  for (const term of searchTermsOf(identity)) {
    const found = await search(term, access);
    const similar = found.flatMap((record) => {
      const phone = record.attributes?.['phone'];
      const isSame = typeof phone === 'string' && phone.replaceAll(/\D/g, '').endsWith(digits);
      return isSame ? [{ value: phone, record }] : [];
    });
    if (similar.length > 0) return similar;
  }
  return [];
}

async function search(text: string, { hasAdditions, read }: Access): Promise<readonly ReadableContact[]> {
  if (!hasAdditions || text === '') return [];
  return (await read(listContacts, { query: { search: text.slice(0, SEARCH_MAX), per_page: COMPARED_MAX } })).data;
}
