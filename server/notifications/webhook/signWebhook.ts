import { createHmac, randomBytes } from 'node:crypto';

// Signatures after Standard Webhooks 1.0.0.

const PREFIX = 'whsec_';
/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A secret that signs until `ends_at`, in milliseconds since the epoch; null while nothing replaces it. */
export type WebhookSecret = { secret: string; ends_at: number | null };

export const createSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Those that sign at a time, in milliseconds. */
export const findSigning = (secrets: readonly WebhookSecret[], at: number): WebhookSecret[] =>
  secrets.filter(({ ends_at }) => ends_at === null || ends_at > at);

/** The headers of a message. `at` is when it is sent, in milliseconds; `body` exactly what is sent. */
export function signWebhook(
  id: string,
  body: string,
  secrets: readonly WebhookSecret[],
  at: number,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': findSigning(secrets, at)
      .map(({ secret }) => sign(secret, `${id}.${timestamp}.${body}`))
      .join(' '),
  };
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}
