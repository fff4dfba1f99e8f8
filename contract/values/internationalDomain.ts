// An international domain is written in two ways, and a contact or a domain may have either.

/** The address with its domain in ASCII (`xn--`). Unchanged if that is not possible. */
export function toAsciiAddress(address: string): string {
  return withDomain(address, toAsciiDomain);
}

/** The address with its domain in Unicode. Unchanged without a valid `xn--`. */
export function toUnicodeAddress(address: string): string {
  return withDomain(address, toUnicodeDomain);
}

function withDomain(address: string, convert: (domain: string) => string): string {
  const start = address.lastIndexOf('@') + 1;
  return address.slice(0, start) + convert(address.slice(start));
}

export function toAsciiDomain(domain: string): string {
  // The URL parser converts it. Other characters would end the host.
  if (/^[\0-\x7f]*$/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return domain;
  const address = `http://${domain}`;
  return URL.canParse(address) ? new URL(address).hostname : domain;
}

export function toUnicodeDomain(domain: string): string {
  if (!domain.includes('xn--')) return domain;
  const labels = domain.split('.').map((label) => (label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label));
  const decoded = labels.join('.');
  // Invalid if it doesn't convert back.
  return !labels.includes(null) && toAsciiDomain(decoded) === domain ? decoded : domain;
}

/** Decodes a label without its `xn--` (RFC 3492, 6.2); null if it is invalid. */
function decodePunycode(label: string): string | null {
  const plain = Math.max(label.lastIndexOf('-'), 0);
  const decoded = Array.from({ length: plain }, (_, index) => label.charCodeAt(index));
  let point = 128;
  let at = 0;
  let bias = 72;
  for (let next = plain === 0 ? 0 : plain + 1; next < label.length;) {
    const start = at;
    let weight = 1;
    for (let base = 36; ; base += 36) {
      const digit = '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(label[next++] ?? ' ');
      // In punycode, `a` is 0 and `0` is 26.
      const value = digit < 10 ? digit + 26 : digit - 10;
      if (digit < 0 || at > 0x7fff_ffff) return null;
      at += value * weight;
      const threshold = Math.min(Math.max(base - bias, 1), 26);
      if (value < threshold) break;
      weight *= 36 - threshold;
    }
    const length = decoded.length + 1;
    bias = adaptBias(at - start, length, start === 0);
    point += Math.floor(at / length);
    at %= length;
    if (point > 0x10_ffff) return null;
    decoded.splice(at++, 0, point);
  }
  return String.fromCodePoint(...decoded).toWellFormed();
}

/** RFC 3492, 6.1. */
function adaptBias(distance: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(distance / (isFirst ? 700 : 2));
  delta += Math.floor(delta / length);
  let bias = 0;
  for (; delta > 455; bias += 36) delta = Math.floor(delta / 35);
  return bias + Math.floor((36 * delta) / (delta + 38));
}
