import type { FieldChange } from '#contract/change.ts';
import { parseJson } from '#contract/json.ts';
import type { Identity } from '../contacts/identity.ts';
import { readingsOf } from './escapes.ts';
import { identitiesIn } from './knownIdentities.ts';

/** Shorter identities, such as a customer ID of three digits, are in any text. */
const TELLING_LENGTH = 6;

/** What may stand between the digits of a phone number; a plus is a space in a link. */
const PHONE_GAP = String.raw`[ \t\r\n\p{Zs}\p{Pd}./()+]*`;
const PHONE = new RegExp(String.raw`^\+?(?:\d${PHONE_GAP})+$`, 'u');

/** Characters that nobody sees, as a mail program or a chat may put into an address. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A text without what spellings of it differ in: letter case, and the forms of Unicode. What is in ASCII stays in ASCII. */
export function foldSpelling(text: string): string {
  // Both cases, because some letters have two of one and one of the other.
  return text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

/** The digits of a phone number that can be told from others in a text; null for any other identity. */
export function tellingDigits({ kind, key }: Identity): string | null {
  const folded = foldSpelling(key);
  if (kind !== 'phone' || !PHONE.test(folded)) return null;
  const digits = folded.replaceAll(/\D/g, '');
  return digits.length >= TELLING_LENGTH ? digits : null;
}

/**
 * Gives a test whether a text has one of `identities` as a word of its own, in any letter case and form of Unicode, with or without
 * invisible characters, as a link, a page or a mail escapes it, and for phone numbers with other gaps between the digits.
 */
export function mentionTest(identities: readonly Identity[]): (text: string) => boolean {
  const words = identities.flatMap((identity) => {
    const digits = tellingDigits(identity);
    if (digits !== null) return [`(?:00)?${Array.from(digits).join(PHONE_GAP)}`];
    const folded = foldSpelling(identity.key).replaceAll(INVISIBLE, '');
    return folded.length >= TELLING_LENGTH ? [RegExp.escape(folded)] : [];
  });
  if (words.length === 0) return () => false;
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`, 'u');
  const isIn = (text: string) => {
    const folded = foldSpelling(text);
    // Also as it is: an invisible blank may be what parts an address from the word before it.
    return [folded, folded.replaceAll(INVISIBLE, '')].some(
      // As in "+49 (0)30 5550123".
      (one) => pattern.test(one) || pattern.test(one.replaceAll('(0)', '')),
    );
  };
  return (text) => readingsOf(text).values().some(isIn);
}

/**
 * Gives a test whether what a line of the log says names one of `identities`: another contact had it as its own, or a text
 * mentions it.
 */
export function lineTest(
  identities: readonly Identity[],
  customField: string | null,
): (values: { summary: string; changes: string }) => boolean {
  const isMentionedIn = mentionTest(identities);
  return (values) => {
    const changes = (parseJson(values.changes) ?? []) as FieldChange[];
    const had = identitiesIn(changes, customField);
    return (
      had.some((one) => identities.some(({ kind, key }) => one.kind === kind && one.key === key)) ||
      textsIn([changes, parseJson(values.summary)]).some(isMentionedIn)
    );
  };
}

/** All texts in a value of JSON, the names of its fields too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => [...(Array.isArray(value) ? [] : [name]), ...textsIn(held)]);
}
