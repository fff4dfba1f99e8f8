import { createPublicKey } from 'node:crypto';
import { parseTags } from './tags.ts';

/** What is published at a DKIM selector (RFC 6376, section 3.6.1). */
export type DkimKey = { kind: string; key: string; hashes: string[] };

/** Null when receivers cannot read it. */
export function parseDkim(text: string): DkimKey | null {
  const tags = parseTags(text);
  const key = tags?.get('p');
  if (tags === null || key === undefined || (tags.get('v') ?? 'DKIM1') !== 'DKIM1') return null;
  const hashes = (tags.get('h') ?? 'sha256').split(':').map((hash) => hash.trim().toLowerCase());
  // White space inside the key has no meaning.
  return { kind: (tags.get('k') ?? 'rsa').toLowerCase(), key: key.replaceAll(/\s/g, ''), hashes };
}

/** Bits of an RSA key; null for a key of another kind or one that is withdrawn, NaN for one that is broken. */
export function rsaBits({ kind, key }: DkimKey): number | null {
  if (kind !== 'rsa' || key === '') return null;
  try {
    const der = { key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' } as const;
    return createPublicKey(der).asymmetricKeyDetails?.modulusLength ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}
