import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

// The prefix and the checksum let programs that look for leaked secrets recognise a token, and let us turn away most
// wrong ones without asking the database.
const FORM = /^sr_([0-9a-f]{40})([0-9a-f]{8})$/;

/** A new secret of 160 random bits, like `sr_` and 48 hexadecimal digits, of which the last 8 are a checksum. */
export function newToken(): string {
  const secret = randomBytes(20).toString('hex');
  return `sr_${secret}${checksum(secret)}`;
}

export function isToken(text: string): boolean {
  const [, secret = '', sum] = FORM.exec(text) ?? [];
  return sum !== undefined && sum === checksum(secret);
}

/** What is stored instead of the token. A plain hash is enough, because nobody can guess 160 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

function checksum(secret: string): string {
  return crc32(secret).toString(16).padStart(8, '0');
}
