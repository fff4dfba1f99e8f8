import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

// Real keys for tests, each created once.

export const RSA_2048 = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const RSA_OTHER = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const RSA_1024 = generateKeyPairSync('rsa', { modulusLength: 1024 });
export const RSA_768 = generateKeyPairSync('rsa', { modulusLength: 768 });
export const ED25519 = generateKeyPairSync('ed25519');
export const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const RSA_8192 = longKey(8192);

/** The private half is discarded. */
function longKey(bits: number): { publicKey: KeyObject } {
  const modulus = randomBytes(bits / 8);
  modulus[0] = 0x80;
  modulus[modulus.length - 1] = 1;
  const key = { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' };
  return { publicKey: createPublicKey({ key, format: 'jwk' }) };
}

/** In the form of most providers: SubjectPublicKeyInfo in base64. */
export function spki({ publicKey }: { publicKey: KeyObject }): string {
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** In the form of RFC 6376: RSAPublicKey in base64. */
export function pkcs1({ publicKey }: { publicKey: KeyObject }): string {
  return publicKey.export({ format: 'der', type: 'pkcs1' }).toString('base64');
}

/** An Ed25519 key in the form of RFC 8463: 32 bytes. */
export function raw({ publicKey }: { publicKey: KeyObject }): string {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
}

/** Of a P-256 key, self-signed. */
export const CERTIFICATE =
  'MIIBeDCCAR+gAwIBAgIURqdI8PgY5X6J0zEGrqqWnpkqnDswCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGeC50ZXN0MCAXDTI2MTEyMjA1MDQwOVoY' +
  'DzIxMjYxMDI5MDUwNDA5WjARMQ8wDQYDVQQDDAZ4LnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASey71ZFi14WaSAtLfPYLfhwKkyXn91' +
  'Bz0Rshret9hvaNA88OMvh5s0kIj3ZGMt3vQuOGK+GuYKRx/MiZ0MxKSvo1MwUTAdBgNVHQ4EFgQUStTtwpuBvS4Ysa/46KNCMN4Wl7IwHwYDVR0j' +
  'BBgwFoAUStTtwpuBvS4Ysa/46KNCMN4Wl7IwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBULqLJ+D/dCtHeJs2d7RZLP9rU9sUR' +
  'Vk7qJrZAvfJ5wAIgNbvuNJC6q+CWoiTaULcpCJZocnlt7bCDqrOS79Gj7fc=';
