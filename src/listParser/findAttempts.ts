import { findNumbers } from '../identity/parse/findNumbers.ts';

// What looks like an address or a phone number in a sentence but isn't read: misspelt, or without a country code.

type Attempt = { text: string; fault: string };

const NO_ADDRESS = 'Looks like an email, but isn’t a valid one.';
const NO_PHONE = 'Looks like a phone number. Put it on its own line to include it.';

const DOMAIN = String.raw`(?:[\p{L}\p{N}-]{1,63}\.){1,20}\p{L}{2,63}`;
/** A sign within a word or at its end; or next to a space or comma, before a domain. */
const ADDRESS = new RegExp(
  String.raw`(?<![^\s@])(?:[^\s@]*[^\s/@]@+[^\s@]\S*|(?:[^\s@]*[^\s/@] ?)?@[ ,]{0,2}${DOMAIN}|[^\s@]*[\p{L}\p{N}]@(?!\S))`,
  'gu',
);
const EDGES = /^[^\p{L}\p{N}@]+|(?<=[\p{L}\p{N}@])[^\p{L}\p{N}@]+$/gu;

/** `read`: what is read in the text, in any order. */
export function findAttempts(text: string, read: readonly string[]): Attempt[] {
  const rest = without(text, read);
  const addresses = rest.match(ADDRESS) ?? [];
  const numbers = findNumbers(rest.replaceAll(ADDRESS, '; ')).filter(({ isPhone }) => isPhone);
  return [
    ...addresses.map((address) => ({ text: address.replaceAll(EDGES, ''), fault: NO_ADDRESS })),
    ...numbers.map(({ text: number }) => ({ text: number, fault: NO_PHONE })),
  ];
}

/** In linear time, if they are in the order of the text. */
function without(text: string, parts: readonly string[]): string {
  let [rest, at] = ['', 0];
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) rest = rest.replace(part, '; ');
    else {
      rest += `${text.slice(at, found)}; `;
      at = found + part.length;
    }
  }
  return rest + text.slice(at);
}
