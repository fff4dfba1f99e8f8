/** Bytes of one string of a TXT record (RFC 1035, section 3.3.14). */
export const STRING_MAX = 255;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The published bytes of a TXT record. Quoted strings in zone-file syntax, like `"v=DKIM1\; " "p=..."`, are joined without a space. */
export function parseTxtBytes(value: string): Uint8Array {
  const written = value.toWellFormed().trim();
  return quotedBytes(written) ?? encoder.encode(written);
}

const BYTE_ESCAPE = /^([01]\d\d|2[0-4]\d|25[0-5])/;

/** Null for other text. Not a regular expression: megabytes of text would exhaust the stack. */
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
    // An escaped character stands for itself.
    const start = char === '\\' ? at + 1 : at;
    special.lastIndex = start + 1;
    at = special.exec(text)?.index ?? text.length;
    const code = text.charCodeAt(start);
    if (at === start + 1 && code < 0x80) bytes[length++] = code;
    else length += encoder.encodeInto(text.slice(start, at), bytes.subarray(length)).written;
  }
  return isOpen ? null : bytes.slice(0, length);
}

export function parseTxtText(value: string): string {
  return decodeTxtBytes(parseTxtBytes(value));
}

const ONE = /^.$/su;

/** Invalid bytes become lone surrogates from here on, as in PEP 383. */
const BYTE = 0xdc00;

/** Different bytes give different texts: invalid ones become lone surrogates. */
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

/** The UTF-8 length of a character that begins with this byte; 0 if none does. */
function sizeOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Replaces the lone surrogates of `decodeTxtBytes` with zone-file escapes, like `\\233`. */
export function escapeInvalidBytes(text: string): string {
  return text.replaceAll(/[\udc80-\udcff]/gu, (half) => `\\${half.charCodeAt(0) - BYTE}`);
}

/** The bytes of one string of a TXT record in quotes. What isn't printable ASCII is written as `\\DDD`. */
export function quoteTxtString(bytes: Uint8Array): string {
  const chars = Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    if (char === '"' || char === '\\') return `\\${char}`;
    return byte >= 32 && byte < 127 ? char : `\\${String(byte).padStart(3, '0')}`;
  });
  return `"${chars.join('')}"`;
}
