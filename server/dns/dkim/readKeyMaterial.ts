import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

type KeyMaterial =
  /** `identity` is equal for the same key in any encoding. Ed25519 keys have 256 bits. */
  | { state: 'public'; bits: number; identity: string; isPkcs1?: boolean }
  /** `identity` is null for a key that cannot belong to a DKIM key, and undefined for one that can't be read. */
  | { state: 'private'; identity: string | null | undefined }
  | { state: 'certificate' }
  | { state: 'broken'; why: string };

/** An Ed25519 key, which is not wrapped in DER (RFC 8463, section 4). */
const ED25519_BYTES = 32;
/** Bits of the largest key that OpenSSL supports. */
const RSA_BITS_MAX = 16_384;

// OpenSSL takes seconds to import some kinds of keys (DSA, DH), so that the kind is read before, from the first values in DER
// (X.690): a sequence, and in it a number, or another sequence and what that begins with.
const SEQUENCE = '30(?:[0-7].|81..|82....|83......|84........)';
const PRIVATE = new RegExp(`^${SEQUENCE}02010[01](?:${SEQUENCE}06(.{0,20}))?`);
const PUBLIC = new RegExp(`^${SEQUENCE}(?:02|${SEQUENCE}06(.{0,20}))`);
/** With a version, or a serial number. A request for a certificate begins like the latter. */
const CERTIFICATE = new RegExp(`^${SEQUENCE}${SEQUENCE}(?:a0|02(?!0100))`);
/** 1.2.840.113549.1.1.1 (RFC 8017, appendix A.1) and 1.3.101.112 (RFC 8410, section 3), with their lengths. */
const RSA = '092a864886f70d010101';
const ED25519 = '032b6570';

export function readKeyMaterial(kind: string, written: string): KeyMaterial {
  const base64 = written.replaceAll(/[ \t\r\n]/g, '');
  if (/[-_]/.test(base64) && /^[\w-]+=*$/.test(base64)) {
    return broken('it has "-" and "_" instead of "+" and "/"');
  }
  if (!/^[a-z0-9+/]+={0,2}$/i.test(base64)) return broken('it is no base64');
  const bytes = Buffer.from(base64, 'base64');
  if (kind === 'ed25519' && bytes.length === ED25519_BYTES) return publicEd25519(bytes);
  const start = bytes.toString('hex', 0, 40);
  const privateKey = PRIVATE.exec(start);
  if (privateKey !== null) {
    const [matched, algorithm = null] = privateKey;
    const isCurve = start.startsWith('04', matched.length);
    return { state: 'private', identity: identityOfPrivate(bytes, algorithm, isCurve) };
  }
  if (CERTIFICATE.test(start)) return { state: 'certificate' };
  const [whole, algorithm = null] = PUBLIC.exec(start) ?? [];
  if (kind === 'ed25519') {
    return broken(
      algorithm?.startsWith(ED25519) && !isCut(bytes)
        ? 'it is wrapped as OpenSSL writes it, and only its last 32 bytes belong there'
        : `an Ed25519 key has 32 bytes, and this one has ${bytes.length}`,
    );
  }
  if (bytes.length === ED25519_BYTES) return broken('it is as long as an Ed25519 key, and "k=ed25519" is missing');
  if (isCut(bytes)) return broken('its end is missing');
  if (whole === undefined) return broken('there is no RSA key in it');
  return readRsa(bytes, algorithm);
}

function publicEd25519(bytes: Buffer): KeyMaterial {
  return { state: 'public', bits: ED25519_BYTES * 8, identity: `ed25519 ${bytes.toString('base64url')}` };
}

/** RFC 6376 names the format PKCS#1, and its example has the other one (errata 3017). Some receivers read only the latter. */
function readRsa(key: Buffer, algorithm: string | null): KeyMaterial {
  if (algorithm !== null && !algorithm.startsWith(RSA)) return broken('it is a key of another kind than RSA');
  const isPkcs1 = algorithm === null;
  const imported = importKey(() => createPublicKey({ key, format: 'der', type: isPkcs1 ? 'pkcs1' : 'spki' }));
  const { modulusLength: bits = 0 } = imported?.asymmetricKeyDetails ?? {};
  if (bits > RSA_BITS_MAX) return broken(`it has ${bits} bits, which is more than receivers can use`);
  const identity = identityOf(imported);
  if (identity === null) return broken('there is no RSA key in it');
  return { state: 'public', bits, identity, isPkcs1 };
}

function broken(why: string): KeyMaterial {
  return { state: 'broken', why };
}

/** Whether it's the start of a sequence, whose length says that there's more. */
function isCut(bytes: Buffer): boolean {
  const [tag, first] = bytes;
  if (tag !== 0x30 || first === undefined || first === 0x80 || first > 0x84) return false;
  const size = Math.max(0, first - 0x80);
  return bytes.length < 2 + size || bytes.length < 2 + size + (size === 0 ? first : bytes.readUIntBE(2, size));
}

/** PKCS#8 (RFC 5958) has an algorithm, PKCS#1 (RFC 8017, appendix A.1.2) none, nor a key of elliptic curves (RFC 5915): it has octets next. */
function identityOfPrivate(key: Buffer, algorithm: string | null, isCurve: boolean): string | null | undefined {
  const isOther =
    algorithm !== null && ![RSA, ED25519].some((known) => known.startsWith(algorithm.slice(0, known.length)));
  if (isCurve || isOther) return null;
  const type = algorithm === null ? 'pkcs1' : 'pkcs8';
  const imported = importKey(() => createPublicKey(createPrivateKey({ key, format: 'der', type })));
  return imported === null ? undefined : identityOf(imported);
}

function importKey(importIt: () => KeyObject): KeyObject | null {
  try {
    return importIt();
  } catch {
    return null;
  }
}

/** Null when it is not an RSA or Ed25519 key. The modulus and the exponent of every RSA key are odd. */
function identityOf(key: KeyObject | null): string | null {
  if (key?.asymmetricKeyType !== 'rsa' && key?.asymmetricKeyType !== 'ed25519') return null;
  const { n, e, x } = key.export({ format: 'jwk' });
  if (x !== undefined) return `ed25519 ${x}`;
  return isOdd(n) && isOdd(e) ? `rsa ${n} ${e}` : null;
}

function isOdd(number: string | undefined): boolean {
  return ((Buffer.from(number ?? '', 'base64url').at(-1) ?? 0) & 1) === 1;
}
