import { isUtf8 } from 'node:buffer';

/** Text that zone files would put in quotes, one string after another, as in `"v=DKIM1\; " "p=..."`. */
const QUOTED = /^\s*("([^"\\]|\\.)*"\s*)+$/s;

/** The text of a TXT record as it is published: quoted strings are joined without a blank, as receivers do it. */
export function textOf(value: string): string {
  const written = value.toWellFormed();
  if (!QUOTED.test(written)) return written.trim();
  const inner = [...written.matchAll(/"((?:[^"\\]|\\.)*)"/gsu)].map(([, string = '']) => string).join('');
  const parts = inner.split(/\\([01]\d\d|2[0-4]\d|25[0-5]|.)/su).map((part, index) => {
    const isByte = index % 2 === 1 && part.length === 3;
    return isByte ? Buffer.from([Number(part)]) : Buffer.from(part);
  });
  return textOfBytes(Buffer.concat(parts));
}

/** Where bytes that are no text go: half a pair, which no text has (as PEP 383 does it). */
const BYTE = 0xdc00;

/** The bytes of a TXT record as text. Bytes that are no UTF-8 stay apart from each other, and from all that is. */
export function textOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const size = [1, 2, 3, 4].find((length) => isUtf8(bytes.subarray(at, at + length)));
    text += size === undefined ? String.fromCharCode(BYTE + (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + size);
    at += size ?? 1;
  }
  return text;
}

/** The same for people: such bytes as zone files have them, as in `\\233`. */
export function readable(text: string): string {
  return text.replaceAll(/[\udc80-\udcff]/gu, (half) => `\\${half.charCodeAt(0) - BYTE}`);
}
