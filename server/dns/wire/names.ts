/** Bytes of a name, and of a label (RFC 1035, section 2.3.4). */
export const NAME_MAX = 253;
const LABEL_MAX = 63;

/** A name of a response as names are compared. It is not validated. */
export function foldName(name: string): string {
  return foldCase(name.replace(/\.$/, ''));
}

/** Letter case is ignored in ASCII only (RFC 4343): the Kelvin sign is not a k. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function parentOf(name: string): string {
  return name.slice(name.indexOf('.') + 1 || name.length);
}

/** The registered domain: the name directly below a registry. */
export function organisationOf(name: string): string {
  let own = name;
  while (parentOf(own) !== '' && !isPublicSuffix(parentOf(own))) own = parentOf(own);
  return own;
}

/** Whether `zone` is a registry. One that responds for a domain itself shows that it isn't registered. */
export function isPublicSuffix(zone: string): boolean {
  return !zone.includes('.') || /^(com?|net?|org?|gov?|edu|ac|ltd|plc|me|sch|nom|id)\.[a-z]{2}$/.test(zone);
}

export function isKeyName(name: string): boolean {
  return name.includes('._domainkey.');
}

export function isAskable(name: string): boolean {
  const sizes = name.split('.').map((label) => Buffer.byteLength(label));
  return Buffer.byteLength(name) <= NAME_MAX && sizes.every((size) => size > 0 && size <= LABEL_MAX);
}
