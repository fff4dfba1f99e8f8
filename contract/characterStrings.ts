const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The bytes of a TXT record as they are published: text that zone files would put in quotes, one string after another as in
 * `"v=DKIM1\; " "p=..."`, is joined without a blank, as receivers do it.
 */
export function parseTxtBytes(value: string): Uint8Array {
  const written = value.toWellFormed().trim();
  return quotedBytes(written) ?? encoder.encode(written);
}

const BYTE_ESCAPE = /^([01]\d\d|2[0-4]\d|25[0-5])/;

/** Null where `text` is anything but strings in quotes. Without a pattern for all of it: one of megabytes exhausts the stack. */
function quotedBytes(text: string): Uint8Array | null {
  if (!text.startsWith('"')) return null;
  const special = /["\\]/g;
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  let isOpen = false;
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    if (!isOpen && char !== '"' && char.trim() !== '') return null;
    if (!isOpen || char === '"') {
      isOpen = char === '"' && !isOpen;
      at++;
      continue;
    }
    const byte = char === '\\' ? BYTE_ESCAPE.exec(text.slice(at + 1, at + 4))?.[1] : undefined;
    if (byte !== undefined) {
      bytes[length++] = Number(byte);
      at += 4;
      continue;
    }
    // What is escaped stands for itself, and so does all up to the next quote or escape.
    const start = char === '\\' ? at + 1 : at;
    special.lastIndex = start + 1;
    at = special.exec(text)?.index ?? text.length;
    const code = text.charCodeAt(start);
    if (at === start + 1 && code < 0x80) bytes[length++] = code;
    else length += encoder.encodeInto(text.slice(start, at), bytes.subarray(length)).written;
  }
  return isOpen ? null : bytes.slice(0, length);
}

/** The same as text. */
export function parseTxtText(value: string): string {
  return decodeTxtBytes(parseTxtBytes(value));
}

const ONE = /^.$/su;

/** Where bytes that are no text go: half a pair, which no text has (as PEP 383 does it). */
const BYTE = 0xdc00;

/** The bytes of a TXT record as text. Bytes that are no UTF-8 stay apart from each other, and from all that is. */
export function decodeTxtBytes(bytes: Uint8Array): string {
  const whole = decoder.decode(bytes);
  if (!whole.includes('\ufffd')) return whole;
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const size = sizeOf(first);
    const char = size === 0 || at + size > bytes.length ? '' : decoder.decode(bytes.subarray(at, at + size));
    const isChar = ONE.test(char);
    text += isChar ? char : String.fromCharCode(BYTE + first);
    at += isChar ? size : 1;
  }
  return text;
}

/** Bytes of a character that begins with this one; none does with some. */
function sizeOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The same for people: such bytes as zone files have them, as in `\\233`. */
export function escapeInvalidBytes(text: string): string {
  return text.replaceAll(/[\udc80-\udcff]/gu, (half) => `\\${half.charCodeAt(0) - BYTE}`);
}
