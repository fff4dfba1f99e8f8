import { domainToASCII } from 'node:url';

const NAME_MAX = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;

/** `text` as names are compared: A-labels in lower case without the final dot. Null when no record can have that name. */
export function dnsName(text: string): string | null {
  const plain = text.trim().normalize('NFC').replace(/\.$/, '');
  // domainToASCII takes a last label of digits for a part of an IPv4 address, so it is not asked without need.
  const name = /^[\x21-\x7e]+$/.test(plain) ? plain.toLowerCase() : domainToASCII(plain);
  if (name.length > NAME_MAX || !name.split('.').every((label) => LABEL.test(label))) return null;
  return name;
}

/** A name from an answer as names are compared; what it holds is not checked. */
export function foldName(name: string): string {
  return foldCase(name.replace(/\.$/, ''));
}

/** Letter case means nothing in ASCII only (RFC 4343): a Kelvin sign is no k. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
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

/** One label fewer; the root is the empty name. */
export function parentOf(name: string): string {
  return name.slice(name.indexOf('.') + 1 || name.length);
}
