/** Text that zone files would put in quotes, one string after another, as in `"v=DKIM1\; " "p=..."`. */
const QUOTED = /^\s*("([^"\\]|\\.)*"\s*)+$/s;

/** The text of a TXT record as it is published: quoted strings are joined without a blank, as receivers do it. */
export function textOf(value: string): string {
  if (!QUOTED.test(value)) return value.trim();
  const inner = [...value.matchAll(/"((?:[^"\\]|\\.)*)"/gsu)].map(([, string = '']) => string).join('');
  const parts = inner.split(/\\(\d{3}|.)/su).map((part, index) => {
    const isByte = index % 2 === 1 && part.length === 3;
    return isByte ? Buffer.from([Number(part) & 255]) : Buffer.from(part);
  });
  return Buffer.concat(parts).toString();
}
