const NAME_MAX = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;

/** A name as names are compared: A-labels in lower case without the final dot. Null when it is not a valid name. */
export function normalizeDnsName(text: string): string | null {
  const plain = text.trim().normalize('NFC').replace(/\.$/, '');
  const name = /^[\x21-\x7e]+$/.test(plain) ? plain.toLowerCase() : toALabels(plain);
  if (name === null || name.length > NAME_MAX || !name.split('.').every((label) => LABEL.test(label))) return null;
  return name;
}

/** By the URL parser. Not for ASCII names: it reads a last label of digits as part of an IPv4 address. */
function toALabels(text: string): string | null {
  // Characters that would end the host of a URL, or be removed from it, are not valid in a name.
  if (/[^\w.\u0080-\uffff-]/.test(text)) return null;
  return URL.parse(`http://${text}`)?.hostname ?? null;
}

/** Whether `name` is `zone` or lies below it. Both are normalised; the root is the empty name. */
export function isWithin(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/**
 * A name as DNS hosts want it: relative to the zone, `@` for the zone itself, and in full when it is not in the zone.
 */
export function relativeTo(name: string, zone: string): string {
  if (name === zone) return '@';
  return zone !== '' && isWithin(name, zone) ? name.slice(0, -zone.length - 1) : name;
}

/**
 * The full name of a listed record. Services list names in full or relative to the domain; a name outside the domain must
 * end with a dot. Null when the name is not valid. `domain` and `mailFrom` are normalised; `mailFrom` may be outside the
 * domain.
 */
export function recordName(written: string, domain: string, mailFrom: string | null): string | null {
  const trimmed = written.trim();
  if (trimmed === '' || trimmed === '@') return domain;
  const name = normalizeDnsName(trimmed);
  const isWhole = trimmed.endsWith('.') || (name !== null && isBeside(name, domain));
  if (name === null || isWhole || isForSending(name, domain, mailFrom)) return name;
  return normalizeDnsName(`${name}.${domain}`);
}

/** Whether a name ends with the last two labels of the domain: it is then in full, because nobody repeats them. */
function isBeside(name: string, domain: string): boolean {
  return isWithin(name, domain.split('.').slice(-2).join('.'));
}

/** Whether a record of this name can belong to `domain`: it is within the domain or within its MAIL FROM name. */
export function isForSending(name: string, domain: string, mailFrom: string | null): boolean {
  return isWithin(name, domain) || (mailFrom !== null && isWithin(name, mailFrom));
}
