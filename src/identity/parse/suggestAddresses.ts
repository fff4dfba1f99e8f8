const PROVIDERS = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'msn.com',
  'yahoo.com',
  'ymail.com',
  'icloud.com',
  'me.com',
  'mac.com',
  'aol.com',
  'proton.me',
  'protonmail.com',
  'fastmail.com',
  'zoho.com',
  'mail.com',
  'gmx.com',
  'gmx.net',
  'gmx.de',
  'gmx.at',
  'gmx.ch',
  'web.de',
  't-online.de',
  'freenet.de',
  'posteo.de',
  'yahoo.co.uk',
  'hotmail.co.uk',
  'btinternet.com',
  'sky.com',
  'hotmail.fr',
  'orange.fr',
  'wanadoo.fr',
  'free.fr',
  'laposte.net',
  'libero.it',
  'comcast.net',
  'verizon.net',
  'att.net',
  'qq.com',
  '163.com',
  'naver.com',
];

const SUGGESTIONS_MAX = 3;
/** In a shorter domain, only one typo. */
const SHORT = 8;

/** Addresses at known domains or mailbox providers within one or two typos, the nearest first. */
export function suggestAddresses(address: string, known: Iterable<string>): string[] {
  const start = address.lastIndexOf('@') + 1;
  const domain = address.slice(start).toLowerCase();
  const slips = domain.length < SHORT ? 1 : 2;
  const names = new Set([...known, ...PROVIDERS]);
  // gmail.com isn't a typo of mail.com.
  if (names.has(domain)) return [];
  return [...names]
    .map((name) => ({ name, distance: measureDistance(domain, name, slips) }))
    .filter(({ distance }) => distance > 0 && distance <= slips)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => address.slice(0, start) + name);
}

/** Optimal string alignment distance; Infinity if certainly more than `limit`. */
export function measureDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Infinity;
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, above] = [above, current];
  }
  return above[other.length] ?? Infinity;
}
