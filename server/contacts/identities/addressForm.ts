/** A quoted local part may hold anything. */
const QUOTED = /^"[^"]+"(?=@)/;
/** What no unquoted address has: the specials of RFC 5322, spaces, and quotes as text programs set them. */
const OUTSIDER = /[\s"(),:;<>[\]\\„“”«»]/u;
const DOMAIN = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}\p{Cf}_-]*[\p{L}\p{N}\p{M}\p{Cf}])?$/u;

/** Why text from a file with one @ is hardly the address of a new contact, as a sentence without the field; null if it may be. */
export function findAddressError(text: string): string | null {
  const address = text.trim().replace(QUOTED, 'quoted');
  const outsider = OUTSIDER.exec(address)?.[0];
  if (outsider !== undefined)
    return `has ${outsider.trim() === '' ? 'a space' : outsider} in it, which no address has. ${WRITE}`;
  if (/^['‘’]/.test(address)) return `begins with a quote. ${WRITE}`;
  const [, domain = ''] = address.split('@');
  const labels = domain.split('.');
  if (labels.includes('')) return `has a dot too many behind the @. ${WRITE}`;
  return labels.every((label) => DOMAIN.test(label)) ? null : `has no domain behind the @. ${WRITE}`;
}

const WRITE = 'Write the address alone, such as jane@example.com.';
