import { findIdentities, identityKey } from './findIdentities.ts';
import { type Identity, type IdentityField, type ParsedIdentity, parseIdentity } from './parseIdentity.ts';

/** An identity, and the piece of text that it was found in. */
export type NamedIdentity = { text: string; identity: Identity };

/** What a text says about whom somebody looks for. */
export type SearchReading =
  /** No identity stands out: words of a name. `identity` is the whole text read as an identity all the same. */
  | { kind: 'words'; identity: ParsedIdentity }
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
  const people = findPeople(text, identityField);
  const [first, ...others] = people;
  if (first === undefined) return { kind: 'words', identity: whole };
  if (others.length > 0) return { kind: 'people', people };
  if (!whole.ok && RUN_TOGETHER.test(text)) {
    return { kind: 'fault', fault: 'Two addresses run together here. Put a space between them.' };
  }
  // An identity of the workspace's own is tried in the letters as typed first.
  const isCustom = first.identity.kind === 'custom' && whole.ok && whole.kind === 'custom';
  return { kind: 'person', identity: isCustom ? whole : first.identity };
}

/** The contacts that are named in `text`, each once. */
function findPeople(text: string, identityField: IdentityField): NamedIdentity[] {
  const people = new Map<string, NamedIdentity>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    for (const { text: piece, reading } of findIdentities(line, identityField, false)) {
      if (!reading.ok) continue;
      const key = identityKey(reading);
      if (!people.has(key)) people.set(key, { text: piece, identity: reading });
    }
  }
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

/** What a list is searched for to show the contact with this identity; empty where lists do not search it. */
export function searchTermOf({ kind, values }: Identity): string {
  if (kind === 'uuid') return '';
  const number = kind === 'phone' ? values.find((value) => /^\+?\d+$/.test(value)) : undefined;
  return number ?? values[0] ?? '';
}

/** How an identity was read, as a sentence without its full stop. */
export function describeReading({ kind, as }: Identity, identityField: IdentityField): string {
  if (kind !== 'custom' || identityField === null) return `Reads as ${as}`;
  return `Not an email or phone; trying it as ${identityField === undefined ? as : `a ${as}`}`;
}
