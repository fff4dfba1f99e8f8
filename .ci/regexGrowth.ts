// Measures how the time of regular expressions grows with texts made of what stands in them.

/** With so many characters a linear expression takes some hundredths of a millisecond, a quadratic one at least ten. */
const LENGTH = 6_000;
/** With so many an exponential one takes a tenth of a second, and with `LENGTH` for ever. */
const SHORT_LENGTH = 24;
const LIMIT_MS = 5;
const TRIES = 12;
/** Characters that classes such as `\s` and `[^@]` stand for. */
const COMMON = ['a', 'Z', '0', ' ', '\t', '\n', '"', '@', '.', ',', '-', '_', '<', ':', '/', '\\', "'", 'é', '\u2010'];
/** Ends what repeats, so that an end is looked for in vain. */
const ENDS = ['', '\n', '\u0001', 'a'];

/** A text on which the expression takes longer than a linear one would; null where there is none. */
export function findSlowText(source: string, flags: string): string | null {
  const literals = literalsIn(source);
  // Where nothing repeats without a bound, nothing grows.
  if (!/[*+]|,\}/.test(source)) return null;
  const own = [...new Set(Array.from(literals.join('')))].filter((one) => !/[a-z]/i.test(one)).slice(0, 8);
  const pairs = own.flatMap((one) => [...own, 'a', ' '].flatMap((other) => [one + other, other + one]));
  const units = new Set([...COMMON, ...own, ...pairs, ...literals.filter((text) => text.length > 1)]);
  // What may stand before the part that repeats.
  const beginnings = literals.slice(0, 4).map((_, index) => literals.slice(0, index + 1).join(''));
  const prefixes = new Set(['', ...beginnings, ...beginnings.map((text) => `${text}a@`), ...own, 'a', 'a@']);
  for (const unit of units) {
    for (const prefix of unit.length === 1 ? prefixes : ['']) {
      for (const end of ENDS) {
        for (const length of [SHORT_LENGTH, LENGTH]) {
          const text = prefix + unit.repeat(length / unit.length) + end;
          // Of many tries, because the first compiles, memory is freed in some, and the machine may stall in several.
          if (Array.from({ length: TRIES }).every(() => isSlow(source, flags, text)))
            return JSON.stringify(`${prefix}(${unit})*${end}`);
        }
      }
    }
  }
  return null;
}

function isSlow(source: string, flags: string, text: string): boolean {
  // With "g" every place is tried, as `replace` and `matchAll` do.
  const expression = new RegExp(source, flags.replaceAll(/[gy]/g, ''));
  // Processor time, because on a busy machine a thread waits for longer than that.
  const start = process.threadCpuUsage();
  if (flags.includes('g')) text.replaceAll(new RegExp(source, flags), '');
  else expression.test(text);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000 > LIMIT_MS;
}

/** Runs of characters that stand for themselves. */
function literalsIn(source: string): string[] {
  const unescaped = source
    .replaceAll(/\\u\{?([\da-f]{4,5})\}?/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll(/\\[pP]\{[^}]*\}|\\[bBdDsSwWkn]|\(\?<?[:=!]|\{\d*,?\d*\}/g, '\0')
    .replaceAll(/\\(.)/g, '$1');
  return [...new Set(unescaped.split(/[\0()[\]|*+?^$]+/).filter((text) => text !== ''))];
}
