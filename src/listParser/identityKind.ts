import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { parseIdentity } from '../identity/parse/parseIdentity.ts';

/** `number` may be a phone number, `word` an ID. */
export type IdentityKind = 'uuid' | 'email' | 'phone' | 'number' | 'word';

/** Between several identities in a cell. Emails are also separated by spaces. */
const PARTS = /[,;|\n]| (?:\/|:::) /;

/** Most addresses of a list. Certain without a further look, which takes most of the time of a long one. */
const PLAIN_ADDRESS = /^(?=[^@]{1,64}@)[a-z\d]+(?:[._+-][a-z\d]+)*@(?:[a-z\d]+(?:-[a-z\d]+)*\.)+[a-z]{2,63}$/i;
export const isPlainAddress = (text: string): boolean => PLAIN_ADDRESS.test(text);

/** Names and places, the other cells of most tables. */
const WORDS = /^[\p{L}\p{M}\s.,'’&-]*$/u;

/** Null if the cell contains anything else. Several strong identities have the kind of the first. */
export function identityKind(cell: string): IdentityKind | null {
  const text = unescapeFormulas(cell).trim();
  if (text.length > 200 || WORDS.test(text)) return null;
  if (isPlainAddress(text)) return 'email';
  const kind = kindOfOne(text);
  if (kind !== null) return kind;
  const parts = text
    .split(PARTS)
    .flatMap((part) => (part.split(/\s+/).every((word) => word.includes('@')) ? part.split(/\s+/) : [part.trim()]));
  const kinds = parts.filter((part) => part !== '').map(kindOfOne);
  return kinds.length > 1 && kinds.every(isStrong) ? (kinds[0] ?? null) : null;
}

function kindOfOne(text: string): IdentityKind | null {
  if (text === '') return null;
  const reading = parseIdentity(text, null);
  if (!reading.ok) return null;
  if (reading.kind === 'email') return /^[^\s{}]+$|<[^<>]+>$/.test(text) ? 'email' : null;
  if (reading.kind === 'phone') return text.startsWith('+') ? 'phone' : 'number';
  if (reading.kind === 'uuid') return 'uuid';
  return /^[^\s\d]*\d\S*$/.test(text) ? 'word' : null;
}

/** Certainly an identity. */
export const isStrong = (kind: IdentityKind | null): boolean => kind === 'email' || kind === 'uuid' || kind === 'phone';
