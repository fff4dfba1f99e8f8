import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, in characters that are safe in a URL and a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
