/** Text that zone files would put in quotes, one string after another, as in `"v=DKIM1\; " "p=..."`. */
const QUOTED = /^\s*("([^"\\]|\\.)*"\s*)+$/s;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a TXT record as they are published: quoted strings are joined without a blank, as receivers do it. */
export function bytesOf(value: string): Uint8Array {
  const written = value.toWellFormed();
  if (!QUOTED.test(written)) return encoder.encode(written.trim());
  const inner = [...written.matchAll(/"((?:[^"\\]|\\.)*)"/gsu)].map(([, string = '']) => string).join('');
  const parts = inner.split(/\\([01]\d\d|2[0-4]\d|25[0-5]|.)/su).map((part, index) => {
    const isByte = index % 2 === 1 && part.length === 3;
    return isByte ? [Number(part)] : [...encoder.encode(part)];
  });
  return Uint8Array.from(parts.flat());
}

/** The same as text. */
export function textOf(value: string): string {
  return textOfBytes(bytesOf(value));
}

const ONE = /^.$/su;

/** Where bytes that are no text go: half a pair, which no text has (as PEP 383 does it). */
const BYTE = 0xdc00;

/** The bytes of a TXT record as text. Bytes that are no UTF-8 stay apart from each other, and from all that is. */
export function textOfBytes(bytes: Uint8Array): string {
  const whole = decoder.decode(bytes);
  if (!whole.includes('\ufffd')) return whole;
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const size = sizeOf(first);
    const char = decoder.decode(bytes.subarray(at, at + size));
    const isChar = (size > 1 || first < 0x80) && at + size <= bytes.length && ONE.test(char);
    text += isChar ? char : String.fromCharCode(BYTE + first);
    at += isChar ? size : 1;
  }
  return text;
}

/** Bytes of a character that begins with this one. */
function sizeOf(first: number): number {
  if (first < 0xc0) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The same for people: such bytes as zone files have them, as in `\\233`. */
export function readable(text: string): string {
  return text.replaceAll(/[\udc80-\udcff]/gu, (half) => `\\${half.charCodeAt(0) - BYTE}`);
}
