import { createPrivateKey, createPublicKey } from 'node:crypto';

/** One value in DER (X.690): its tag, and the bytes within it. */
type Der = { tag: number; content: Buffer };

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;

const VALUES_MAX = 12;
const LENGTH_MAX = 4;

/** Reads the value at the start of `bytes`, or says how it is malformed. Bytes after it are ignored, as in OpenSSL. */
function readDer(bytes: Buffer): Der | 'cut' | 'none' {
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

function valuesIn({ content }: Der): Der[] {
  const values: Der[] = [];
  for (let rest = content; values.length < VALUES_MAX;) {
    const value = readDer(rest);
    if (typeof value === 'string') break;
    values.push(value);
    rest = rest.subarray(value.content.byteOffset - rest.byteOffset + value.content.length);
  }
  return values;
}

// OpenSSL takes seconds to import some kinds of keys (DSA, DH). Only public RSA keys of a limited size are passed to
// it.

type KeyMaterial =
  /** `identity` is equal for the same key in any encoding. Ed25519 keys have 256 bits. */
  | { state: 'public'; bits: number; identity: string; isPkcs1?: boolean }
  /** `identity` is null for a key that cannot belong to a DKIM key. */
  | { state: 'private'; identity: string | null }
  | { state: 'certificate' }
  /** `why` is the end of a sentence. */
  | { state: 'broken'; why: string };

/** An Ed25519 key, which is not wrapped in DER (RFC 8463, section 4). */
const ED25519_BYTES = 32;
/** Bits of the largest key that OpenSSL supports. */
const RSA_BITS_MAX = 16_384;

/** 1.2.840.113549.1.1.1 (RFC 8017, appendix A.1). */
const RSA = '2a864886f70d010101';
/** 1.3.101.112 (RFC 8410, section 3). */
const ED25519 = '2b6570';
/** The beginning of a private Ed25519 key in PKCS#8, before the key itself. */
const ED25519_PKCS8 = Buffer.from(`302e02010030050603${ED25519}04220420`, 'hex');

export function readKeyMaterial(kind: string, written: string): KeyMaterial {
  const base64 = written.replaceAll(/[ \t\r\n]/g, '');
  if (/[-_]/.test(base64) && /^[\w-]+=*$/.test(base64)) {
    return broken('it has "-" and "_" instead of "+" and "/"');
  }
  if (!/^[a-z0-9+/]+={0,2}$/i.test(base64)) return broken('it is no base64');
  const bytes = Buffer.from(base64, 'base64');
  const der = readDer(bytes);
  const values = typeof der !== 'string' && der.tag === SEQUENCE ? valuesIn(der) : [];
  if (isPrivate(values)) return { state: 'private', identity: identityOfPrivate(values) };
  if (isCertificate(values)) return { state: 'certificate' };
  return kind === 'ed25519' ? readEd25519(bytes, values) : readRsa(bytes, values);
}

function readEd25519(bytes: Buffer, values: readonly Der[]): KeyMaterial {
  if (bytes.length === ED25519_BYTES) {
    return { state: 'public', bits: ED25519_BYTES * 8, identity: identityOfEd25519(bytes) };
  }
  return keyIn(values)?.kind === ED25519
    ? broken('it is wrapped as OpenSSL writes it, and only its last 32 bytes belong there')
    : broken(`an Ed25519 key has 32 bytes, and this one has ${bytes.length}`);
}

/** RFC 6376 names the format PKCS#1, and its example has the other one (errata 3017). Some receivers read only the latter. */
function readRsa(bytes: Buffer, values: readonly Der[]): KeyMaterial {
  if (bytes.length === ED25519_BYTES) return broken('it is as long as an Ed25519 key, and "k=ed25519" is missing');
  const wrapped = keyIn(values);
  if (wrapped !== null && wrapped.kind !== RSA) return broken('it is a key of another kind than RSA');
  const numbers = wrapped === null ? values : sequenceIn(wrapped.key);
  const [modulus, exponent] = numbers.map(numberOf);
  if (numbers.length !== 2 || !isOdd(modulus) || !isOdd(exponent)) {
    return broken(
      bytes[0] === SEQUENCE && readDer(bytes) === 'cut' ? 'its end is missing' : 'there is no RSA key in it',
    );
  }
  const bits = bitsOf(modulus);
  if (bits > RSA_BITS_MAX) return broken(`it has ${bits} bits, which is more than receivers can use`);
  if (!isImported(bytes, wrapped === null ? 'pkcs1' : 'spki')) return broken('there is no RSA key in it');
  return { state: 'public', bits, identity: identityOfRsa(modulus, exponent), isPkcs1: wrapped === null };
}

/** Whether OpenSSL accepts the key. Most receivers use it, and it has more rules than are checked here. */
function isImported(key: Buffer, type: 'spki' | 'pkcs1'): boolean {
  try {
    return createPublicKey({ key, format: 'der', type }).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function broken(why: string): KeyMaterial {
  return { state: 'broken', why };
}

/** Parses a SubjectPublicKeyInfo (RFC 5280, section 4.1): the identifier of the algorithm as bytes, and the key. */
function keyIn([algorithm, key]: readonly Der[]): { kind: string; key: Buffer } | null {
  const kind = kindOf(algorithm);
  return kind === null || key?.tag !== BIT_STRING ? null : { kind, key: key.content.subarray(1) };
}

/**
 * Whether the values are a private key: PKCS#8 (RFC 5958), RSA (RFC 8017, appendix A.1.2) or DSA, which begin with a
 * version and have more numbers than public keys, or an elliptic curve key (RFC 5915).
 */
function isPrivate([version, second, third, ...others]: readonly Der[]): boolean {
  if (version?.tag !== INTEGER) return false;
  if (kindOf(second) !== null) return third?.tag === OCTET_STRING;
  if (second?.tag === OCTET_STRING) return version.content.equals(Buffer.of(1));
  return others.length >= 3 && [second, third, ...others].slice(0, 5).every((one) => one?.tag === INTEGER);
}

function identityOfPrivate([, second, third]: readonly Der[]): string | null {
  if (kindOf(second) === null) {
    const [modulus, exponent] = [second, third].map(numberOf);
    return !isOdd(modulus) || !isOdd(exponent) ? null : identityOfRsa(modulus, exponent);
  }
  const inner = readDer(third?.content ?? Buffer.of());
  if (typeof inner === 'string') return null;
  if (kindOf(second) === RSA) return identityOfPrivate(valuesIn(inner));
  if (kindOf(second) !== ED25519 || inner.content.length !== ED25519_BYTES) return null;
  const secret = createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8, inner.content]),
    format: 'der',
    type: 'pkcs8',
  });
  return identityOfEd25519(createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-ED25519_BYTES));
}

/** An X.509 certificate (RFC 5280, 4.1): its first value begins with a version, or has six values. */
function isCertificate([signed, algorithm, signature]: readonly Der[]): boolean {
  if (signed?.tag !== SEQUENCE || kindOf(algorithm) === null || signature?.tag !== BIT_STRING) return false;
  const values = valuesIn(signed);
  return values[0]?.tag === 0xa0 || values.length >= 6;
}

function identityOfRsa(modulus: Buffer, exponent: Buffer): string {
  return `rsa ${modulus.toString('base64')} ${exponent.toString('base64')}`;
}

function identityOfEd25519(key: Buffer): string {
  return `ed25519 ${key.toString('base64')}`;
}

function kindOf(algorithm: Der | undefined): string | null {
  const [identifier] = algorithm?.tag === SEQUENCE ? valuesIn(algorithm) : [];
  return identifier?.tag === OBJECT_IDENTIFIER ? identifier.content.toString('hex') : null;
}

function sequenceIn(bytes: Buffer): Der[] {
  const der = readDer(bytes);
  return typeof der !== 'string' && der.tag === SEQUENCE ? valuesIn(der) : [];
}

/** The bytes of an integer without leading zeros; null when it is none. */
function numberOf(der: Der | undefined): Buffer | null {
  if (der?.tag !== INTEGER) return null;
  const first = der.content.findIndex((byte) => byte !== 0);
  return first < 0 ? null : der.content.subarray(first);
}

/** The modulus and the exponent of every RSA key are odd. */
function isOdd(number: Buffer | null | undefined): number is Buffer {
  return ((number?.at(-1) ?? 0) & 1) === 1;
}

function bitsOf(number: Buffer): number {
  return number.length * 8 - Math.clz32(number[0] ?? 0) + 24;
}
