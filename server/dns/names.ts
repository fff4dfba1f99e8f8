/** A name from an answer as names are compared; what it holds is not checked. */
export function foldName(name: string): string {
  return foldCase(name.replace(/\.$/, ''));
}

/** Letter case means nothing in ASCII only (RFC 4343): a Kelvin sign is no k. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** One label fewer; the root is the empty name. */
export function parentOf(name: string): string {
  return name.slice(name.indexOf('.') + 1 || name.length);
}

/** Registries have no records of others: when one answers for a domain, nobody has that domain. */
export function isPublicSuffix(zone: string): boolean {
  return !zone.includes('.') || /^(com?|net?|org?|gov?|edu|ac|ltd|plc|me|sch|nom|id)\.[a-z]{2}$/.test(zone);
}
