import {
  findIdentities,
  findLocalNumbers,
  guessIdentities,
  identityKey,
  type IdentityMatch,
  NOTHING,
} from './findIdentities.ts';
import { type Identity, type IdentityField, type ParsedIdentity, parseIdentity } from './parseIdentity.ts';

export type NamedIdentity = {
  text: string;
  identity: Identity;
  /** By its form alone. */
  isGuess: boolean;
};

export type SearchReading =
  /** Words of a name. `identity` is the whole text read as one; `guesses` are words that may be one. */
  | { kind: 'words'; identity: ParsedIdentity; guesses: NamedIdentity[] }
  | { kind: 'person'; identity: Identity }
  /** Several contacts: ask. */
  | { kind: 'people'; people: NamedIdentity[] }
  | { kind: 'fault'; fault: string };

/** Characters: more would block the page. */
const LONGEST = 100_000;
/** A one-line field joins pasted lines. */
const RUN_TOGETHER = /@[\p{L}\p{N}.-]+@/u;

export function readSearch(text: string, identityField: IdentityField): SearchReading {
  if (text.length > LONGEST)
    return { kind: 'fault', fault: 'This is too long. Paste it into Bulk unsubscribe instead.' };
  const whole = parseIdentity(text, identityField);
  // Other addresses of a mail link aren't the person.
  if (whole.ok && /^<?mailto:\S+$/i.test(text.trim())) return { kind: 'person', identity: whole };
  // One number, whatever its extension looks like.
  if (whole.ok && whole.kind === 'phone') return { kind: 'person', identity: whole };
  const people = findPeople(text, identityField);
  const [first, ...others] = people;
  if (others.length === 0 && !whole.ok && RUN_TOGETHER.test(text)) {
    return { kind: 'fault', fault: 'Two addresses run together here. Put a space between them.' };
  }
  // Perhaps part of a phone number.
  if (first === undefined && whole.ok && isNumber(text.trim())) return { kind: 'person', identity: whole };
  if (first === undefined || first.isGuess) return { kind: 'words', identity: whole, guesses: people };
  if (others.length > 0) return { kind: 'people', people };
  // A custom identity is tried as typed first.
  const isSame = whole.ok && whole.kind === 'custom' && whole.values.at(-1) === first.identity.values.at(-1);
  return { kind: 'person', identity: isSame ? whole : first.identity };
}

/** Each once; guesses last. */
function findPeople(text: string, identityField: IdentityField): NamedIdentity[] {
  const people = new Map<string, NamedIdentity>();
  const lines = text.split(/\r\n|\r|\n/);
  const add = (found: readonly IdentityMatch[], isGuess: boolean) => {
    for (const { text: piece, reading } of found) {
      if (!reading.ok) continue;
      const key = identityKey(reading);
      if (!people.has(key)) people.set(key, { text: piece, identity: reading, isGuess });
    }
  };
  const numbers: IdentityMatch[] = [];
  for (const line of lines) {
    const found = findIdentities(line, identityField, false);
    add(found, false);
    // What is next to an unreadable number may be a part of it.
    const isClear = found.every(({ reading }) => reading.ok || reading.fault === NOTHING);
    if (isClear) numbers.push(...findLocalNumbers(line, identityField));
  }
  add(
    numbers.filter(({ isDoubtful }) => !isDoubtful),
    false,
  );
  for (const line of lines) add(guessIdentities(line, identityField), true);
  add(
    numbers.filter(({ isDoubtful }) => isDoubtful),
    true,
  );
  return [...people.values()];
}

/** Custom identities are case-sensitive, so other cases come last. Not for bulk changes: two contacts may differ only in case. */
export function valuesToTry({ kind, values }: Identity): string[] {
  const last = values.at(-1) ?? '';
  const cases = kind === 'custom' ? [last.toUpperCase(), last.toLowerCase()] : [];
  return [...new Set([...values, ...cases])];
}

/** What the list is searched for, in turn; empty if lists don't search it. */
export function searchTermsOf({ kind, values: [first = '', ...others] }: Identity): string[] {
  if (kind === 'uuid') return [''];
  // It may be part of a phone number.
  if (kind !== 'phone' && !isNumber(first)) return [first];
  // Found by its digits, or as typed if stored with more than digits and separators.
  const number = [first, ...others].find((value) => /^\+?\d+$/.test(value)) ?? first.replaceAll(/[^\d+]/g, '');
  const typed = withoutTrunkZero(first);
  return [...new Set([/\s/.test(typed) ? `"${typed}"` : typed, withoutTrunkZero(number)])];
}

/** Digits and separators only. */
export const isNumber = (text: string) => /^[\d\s()./+-]+$/.test(text);

const withoutTrunkZero = (number: string) => number.replace(/^0(?=[1-9](?:\D*\d){5})/, '');

export function describeReading({ kind, as }: Identity, identityField: IdentityField): string {
  if (kind !== 'custom' || identityField === null) return `Reads as ${as}`;
  return `Not an email or phone; trying it as ${identityField === undefined ? as : `a ${as}`}`;
}

/** Commas separate words, except inside quotes. */
export const searchWordsOf = (text: string): string =>
  text.replaceAll(/("[^"]*(?:"|$))|,/g, (_, phrase?: string) => phrase ?? ' ').trim();
