import { findIdentities, guessIdentities, identityKey, type IdentityMatch } from './findIdentities.ts';
import { type Identity, type IdentityField, type ParsedIdentity, parseIdentity } from './parseIdentity.ts';

/** An identity, and the piece of text that it was found in. */
export type NamedIdentity = {
  text: string;
  identity: Identity;
  /** Whether nothing but its form says that it is one. */
  isGuess: boolean;
};

/** What a text says about whom somebody looks for. */
export type SearchReading =
  /**
   * No identity stands out: words of a name. `identity` is the whole text read as an identity all the same, and `guesses`
   * are those among the words that may be one.
   */
  | { kind: 'words'; identity: ParsedIdentity; guesses: NamedIdentity[] }
  | { kind: 'person'; identity: Identity }
  /** Several contacts are named. Which of them is meant is for the user to say. */
  | { kind: 'people'; people: NamedIdentity[] }
  | { kind: 'fault'; fault: string };

/** Characters. Reading more would hold up the page. */
const LONGEST = 100_000;
/** An address that begins where another ends: a field of one line joins the lines of what is pasted. */
const RUN_TOGETHER = /@[\p{L}\p{N}.-]+@/u;

/** Reads what was typed or pasted into a box that finds contacts: an identity in any dress, or words. */
export function readSearch(text: string, identityField: IdentityField): SearchReading {
  if (text.length > LONGEST)
    return { kind: 'fault', fault: 'This is too long. Paste it into Bulk unsubscribe instead.' };
  const whole = parseIdentity(text, identityField);
  // The other addresses of a mail link are not the person whom it is for.
  if (whole.ok && /^<?mailto:\S+$/i.test(text.trim())) return { kind: 'person', identity: whole };
  // One number, whatever its extension may be read as by itself.
  if (whole.ok && whole.kind === 'phone') return { kind: 'person', identity: whole };
  const people = findPeople(text, identityField);
  const [first, ...others] = people;
  if (others.length === 0 && !whole.ok && RUN_TOGETHER.test(text)) {
    return { kind: 'fault', fault: 'Two addresses run together here. Put a space between them.' };
  }
  // A part of a phone number, perhaps, and no words.
  if (first === undefined && whole.ok && isNumber(text.trim())) return { kind: 'person', identity: whole };
  if (first === undefined || first.isGuess) return { kind: 'words', identity: whole, guesses: people };
  if (others.length > 0) return { kind: 'people', people };
  // An identity of the workspace's own is tried in the letters as typed first.
  const isSame = whole.ok && whole.kind === 'custom' && whole.values.at(-1) === first.identity.values.at(-1);
  return { kind: 'person', identity: isSame ? whole : first.identity };
}

/** The contacts that are named in `text`, each once, and after them those that may be. */
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
  for (const line of lines) add(findIdentities(line, identityField, false), false);
  for (const line of lines) add(guessIdentities(line, identityField), true);
  return [...people.values()];
}

/**
 * The values to look a single contact up by, in turn. The letter case of a custom identity counts for the service, so
 * other cases come last. Not for changes to many contacts: two of them may differ in nothing else.
 */
export function valuesToTry({ kind, values }: Identity): string[] {
  const last = values.at(-1) ?? '';
  const cases = kind === 'custom' ? [last.toUpperCase(), last.toLowerCase()] : [];
  return [...new Set([...values, ...cases])];
}

/**
 * What a list is searched for to show the contact with this identity: a further term where the ones before find nobody.
 * Empty where lists do not search it.
 */
export function searchTermsOf({ kind, values: [first = '', ...others] }: Identity): string[] {
  if (kind === 'uuid') return [''];
  // What does not look like a phone number may be a part of one.
  if (kind !== 'phone' && !isNumber(first)) return [first];
  // A part of a number is found by its digits, or as it was typed where it is stored with more than digits and separators.
  const number = [first, ...others].find((value) => /^\+?\d+$/.test(value)) ?? first.replaceAll(/[^\d+]/g, '');
  const typed = withoutTrunkZero(first);
  return [...new Set([/\s/.test(typed) ? `"${typed}"` : typed, withoutTrunkZero(number)])];
}

/** Whether a text has nothing but digits, and what may be between those of a phone number. */
export const isNumber = (text: string) => /^[\d\s()./+-]+$/.test(text);

/** The zero before a national number is not in the number with its country code. */
const withoutTrunkZero = (number: string) => number.replace(/^0(?=[1-9](?:\D*\d){5})/, '');

/** How an identity was read, as a sentence without its full stop. */
export function describeReading({ kind, as }: Identity, identityField: IdentityField): string {
  if (kind !== 'custom' || identityField === null) return `Reads as ${as}`;
  return `Not an email or phone; trying it as ${identityField === undefined ? as : `a ${as}`}`;
}
