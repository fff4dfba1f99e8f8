import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A new secret of 160 random bits: `sr_`, 40 hexadecimal digits and 8 more that are their checksum. Prefix and checksum
 * let programs that look for leaked secrets tell a token from other text.
 */
export function newToken(): string {
  const secret = randomBytes(20).toString('hex');
  return `sr_${secret}${crc32(secret).toString(16).padStart(8, '0')}`;
}

/** The hash that is stored instead of the token. A plain hash is enough, because 160 random bits cannot be guessed. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}
