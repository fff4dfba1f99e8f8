import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Seal = {
  /** `about` is what the text belongs to; opening it requires the same value. */
  close: (text: string, about: string) => string;
  /** Null for a text that another seal closed, or about something else. */
  open: (sealed: string, about: string) => string | null;
};

/** The key is derived from the client's secret: all processes have the same, and a new one makes everything sealed worthless. */
export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sendroom account', 32));
  return {
    close(text, about) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64url');
      const start = NONCE_BYTES + TAG_BYTES;
      if (bytes.length < start) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(NONCE_BYTES, start));
      try {
        return decipher.update(bytes.subarray(start), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
