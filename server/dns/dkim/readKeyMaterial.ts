import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';

/** What is written in `p=` of a DKIM key. */
export type KeyMaterial =
  /** `identity` is the same for the same key, however it is written. Ed25519 keys have 256 bits. */
  | { state: 'public'; bits: number; identity: string }
  | { state: 'private'; identity: string }
  | { state: 'certificate' }
  /** `why` is the end of a sentence. */
  | { state: 'broken'; why: string };

/** An Ed25519 key, which stands there without anything around it (RFC 8463, section 4). */
const ED25519_BYTES = 32;

/** Reads what `p=` holds; white space in it means nothing. `kind` is `rsa` or `ed25519`. */
export function readKeyMaterial(kind: string, written: string): KeyMaterial {
  const base64 = written.replaceAll(/[ \t\r\n]/g, '');
  if (/[-_]/.test(base64) && /^[\w-]+=*$/.test(base64)) {
    return broken('it has "-" and "_" in place of "+" and "/"');
  }
  if (!/^[a-z0-9+/]+={0,2}$/i.test(base64)) return broken('it is no base64');
  const bytes = Buffer.from(base64, 'base64');
  const secret = privateKey(bytes);
  if (secret !== null) return { state: 'private', identity: identityOf(createPublicKey(secret)) };
  if (isCertificate(bytes)) return { state: 'certificate' };
  return kind === 'ed25519' ? readEd25519(bytes) : readRsa(bytes);
}

function readEd25519(bytes: Buffer): KeyMaterial {
  if (bytes.length === ED25519_BYTES) {
    return { state: 'public', bits: ED25519_BYTES * 8, identity: `ed25519 ${bytes.toString('base64')}` };
  }
  return publicKey(bytes)?.asymmetricKeyType === 'ed25519'
    ? broken('it is wrapped as OpenSSL writes it, and only its last 32 bytes belong there')
    : broken(`an Ed25519 key has 32 bytes, and this one has ${bytes.length}`);
}

function readRsa(bytes: Buffer): KeyMaterial {
  const key = publicKey(bytes);
  if (key === null) {
    if (bytes.length === ED25519_BYTES) return broken('it is as long as an Ed25519 key, and "k=ed25519" is missing');
    return broken(isCut(bytes) ? 'its end is missing' : 'there is no RSA key in it');
  }
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (key.asymmetricKeyType !== 'rsa' || bits === undefined) return broken('it is a key of another kind than RSA');
  return { state: 'public', bits, identity: identityOf(key) };
}

function broken(why: string): KeyMaterial {
  return { state: 'broken', why };
}

function identityOf(key: KeyObject): string {
  const spki = key.export({ format: 'der', type: 'spki' });
  // What is before these bytes says only that they are an Ed25519 key.
  return key.asymmetricKeyType === 'ed25519'
    ? `ed25519 ${spki.subarray(-ED25519_BYTES).toString('base64')}`
    : spki.toString('base64');
}

/** RFC 6376 names the form of PKCS#1 and shows the other one; receivers read both (errata 3017). */
function publicKey(key: Buffer): KeyObject | null {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      return createPublicKey({ key, format: 'der', type });
    } catch {}
  }
  return null;
}

function privateKey(key: Buffer): KeyObject | null {
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type });
    } catch {}
  }
  return null;
}

function isCertificate(bytes: Buffer): boolean {
  try {
    return new X509Certificate(bytes).serialNumber !== '';
  } catch {
    return false;
  }
}

/** Whether there are fewer bytes than the outermost value of these says (X.690, section 8.1.3). */
function isCut(bytes: Buffer): boolean {
  const [tag, first = 0] = bytes;
  if (tag !== 0x30) return false;
  if (first < 0x80) return bytes.length < first + 2;
  const size = first - 0x80;
  return size > 0 && size < 5 && bytes.length > size + 2 && bytes.length < bytes.readUIntBE(2, size) + size + 2;
}
