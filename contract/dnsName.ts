const NAME_MAX = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;

/** `text` as names are compared: A-labels in lower case without the final dot. Null when no record can have that name. */
export function normalizeDnsName(text: string): string | null {
  const plain = text.trim().normalize('NFC').replace(/\.$/, '');
  const name = /^[\x21-\x7e]+$/.test(plain) ? plain.toLowerCase() : toALabels(plain);
  if (name === null || name.length > NAME_MAX || !name.split('.').every((label) => LABEL.test(label))) return null;
  return name;
}

/** By the URL parser, which browsers have as well; it is not asked without need, since it takes a last label of digits for a part of an IPv4 address. */
function toALabels(text: string): string | null {
  // What would end a host, or be left out of it, is part of no name.
  if (/[^\w.\u0080-\uffff-]/.test(text)) return null;
  return URL.parse(`http://${text}`)?.hostname ?? null;
}

/** Whether `name` is `zone` or lies below it. Both are folded; the root is the empty name. */
export function isWithin(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/** The host as forms of DNS hosts want it: relative to the zone, `@` for the zone itself, whole when it is elsewhere. */
export function relativeTo(name: string, zone: string): string {
  if (name === zone) return '@';
  return zone !== '' && isWithin(name, zone) ? name.slice(0, -zone.length - 1) : name;
}

/**
 * The full name of a record for `domain`. Services write names in full or relative to the domain; only a final dot tells
 * one that lies elsewhere. Null when no record can have that name. `domain` and `mailFrom`, which may lie elsewhere, are
 * as `dnsName` gives them.
 */
export function recordName(written: string, domain: string, mailFrom: string | null): string | null {
  const trimmed = written.trim();
  if (trimmed === '' || trimmed === '@') return domain;
  const name = normalizeDnsName(trimmed);
  const isWhole = trimmed.endsWith('.') || (name !== null && isBeside(name, domain));
  if (name === null || isWhole || isForSending(name, domain, mailFrom)) return name;
  return normalizeDnsName(`${name}.${domain}`);
}

/** Whether a name ends as the domain does, in its last two labels: nobody means one that has them twice. */
function isBeside(name: string, domain: string): boolean {
  return isWithin(name, domain.split('.').slice(-2).join('.'));
}

/** Whether a record of this name can belong to `domain`: within it, or within its MAIL FROM name. */
export function isForSending(name: string, domain: string, mailFrom: string | null): boolean {
  return isWithin(name, domain) || (mailFrom !== null && isWithin(name, mailFrom));
}
