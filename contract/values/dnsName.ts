const NAME_MAX = 253;
const LABELS = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/;

/** A-labels in lower case without the final dot; null if the name is invalid. */
export function normalizeDnsName(text: string): string | null {
  const plain = text.trim().normalize('NFC').replace(/\.$/, '');
  const name = /^[\x21-\x7e]+$/.test(plain) ? plain.toLowerCase() : toALabels(plain);
  if (name === null || name.length > NAME_MAX || !LABELS.test(name)) return null;
  return name;
}

/** By the URL parser. Not for ASCII names: it reads a last label of digits as part of an IPv4 address. */
function toALabels(text: string): string | null {
  // Others would end the host of a URL, or be removed from it.
  if (/[^\w.\u0080-\uffff-]/.test(text)) return null;
  return URL.parse(`http://${text}`)?.hostname ?? null;
}

/** Whether `name` is `zone` or below it. Both are normalised; the root is the empty name. */
export function isWithin(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/** The name as DNS hosts want it: relative to the zone, `@` for the zone itself, in full outside it. */
export function relativeTo(name: string, zone: string): string {
  if (name === zone) return '@';
  return zone !== '' && isWithin(name, zone) ? name.slice(0, -zone.length - 1) : name;
}

/**
 * The full name of a listed record, which is in full or relative to the domain, and outside it must end with a dot. Null if it is
 * invalid. `domain` and `mailFrom`, which may be outside it, are normalised.
 */
export function recordName(written: string, domain: string, mailFrom: string | null): string | null {
  const trimmed = written.trim();
  if (trimmed === '' || trimmed === '@') return domain;
  const name = normalizeDnsName(trimmed);
  if (name === null || trimmed.endsWith('.')) return name;
  if (isForSending(name, domain, mailFrom) || isBeside(name, domain)) return name;
  return normalizeDnsName(`${name}.${domain}`);
}

/** A name that ends with the last two labels of the domain is in full. */
function isBeside(name: string, domain: string): boolean {
  return isWithin(name, domain.split('.').slice(-2).join('.'));
}

/** Whether a record can belong to `domain`: within it, or within its MAIL FROM name. */
export function isForSending(name: string, domain: string, mailFrom: string | null): boolean {
  return isWithin(name, domain) || (mailFrom !== null && isWithin(name, mailFrom));
}
