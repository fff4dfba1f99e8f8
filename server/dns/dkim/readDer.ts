/** One value in DER (X.690): its tag, and the bytes within it. */
export type Der = { tag: number; content: Buffer };

export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const OBJECT_IDENTIFIER = 0x06;
export const SEQUENCE = 0x30;

const VALUES_MAX = 12;
/** Bytes of a length. */
const LENGTH_MAX = 4;

/** Reads the value at the start of `bytes`, or says how it is malformed. Bytes after it are ignored, as in OpenSSL. */
export function readDer(bytes: Buffer): Der | 'cut' | 'none' {
  const [tag, first] = bytes;
  // Keys have no tags of several bytes.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return 'none';
  const size = first < 0x80 ? 0 : first - 0x80;
  if (first >= 0x80 && (size === 0 || size > LENGTH_MAX)) return 'none';
  const start = 2 + size;
  if (bytes.length < start) return 'cut';
  const length = size === 0 ? first : bytes.readUIntBE(2, size);
  return bytes.length < start + length ? 'cut' : { tag, content: bytes.subarray(start, start + length) };
}

/** The values inside a value, up to the first malformed one, and at most as many as a key has. */
export function valuesIn({ content }: Der): Der[] {
  const values: Der[] = [];
  for (let rest = content; values.length < VALUES_MAX;) {
    const value = readDer(rest);
    if (typeof value === 'string') break;
    values.push(value);
    rest = rest.subarray(value.content.byteOffset - rest.byteOffset + value.content.length);
  }
  return values;
}
