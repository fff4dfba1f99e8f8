import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Claimed } from './claim.ts';
import { textOf, titleOf, urlOf } from './describeMessage.ts';
import type { Mailer } from './mail/mailer.ts';
import { type IsAllowed, type Outcome, postWebhook } from './webhook/postWebhook.ts';
import { readSecrets } from './storedMessages.ts';
import { findSigning, signWebhook } from './webhook/signWebhook.ts';

/** How messages leave. */
export type Senders = {
  /** Null without SMTP_URL. */
  mailer: Mailer | null;
  isAllowed: IsAllowed;
  /** Where people reach the console, with a slash at its end; null if that isn't set. */
  consoleUrl: string | null;
};

/** Sends a message, until `halt` aborts. Never rejects. `now` is in milliseconds since the epoch. */
export async function sendMessage(
  senders: Senders,
  claimed: Claimed,
  now: number,
  halt: AbortSignal,
): Promise<Outcome> {
  try {
    return await (claimed.destination.kind === 'webhook'
      ? sendToWebhook(senders, claimed, now, halt)
      : sendByMail(senders, claimed, halt));
  } catch (error) {
    // Of a body that lacks what its kind says.
    return { isDelivered: false, detail: `The message can’t be written: ${(error as Error).message}`, isFinal: true };
  }
}

/** Tried again, because an admin can correct it. */
const DAMAGED = {
  isDelivered: false,
  detail: 'The stored secret or URL of this destination can’t be read. Rotate its secret, or make another destination.',
} as const;

/** Entries that fit into 20 kB. */
const OTHERS_MAX = 100;

function sendToWebhook(
  { isAllowed, consoleUrl }: Senders,
  { delivery, destination, message, incidents }: Claimed,
  now: number,
  halt: AbortSignal,
): Promise<Outcome> {
  const { uuid, kind, created_at, body } = message;
  const [incident, ...others] = incidents;
  const more = others.slice(0, OTHERS_MAX).map(({ domain, subject }) => ({ domain, subject }));
  const url = urlOf(message, incidents, consoleUrl);
  const text = JSON.stringify({
    type: kind.replace('_', '.'),
    timestamp: timestamp(created_at),
    data: {
      ...(incident ?? (JSON.parse(body) as object)),
      ...(others.length > 0 && { others: more, other_count: others.length }),
      ...(url !== null && { url }),
    },
    ...(delivery.instead_of !== null && { instead_of: delivery.instead_of }),
  });
  const secrets = findSigning(readSecrets(destination) ?? [], now);
  const address = URL.parse(destination.address);
  if (secrets.length === 0 || address === null) return Promise.resolve(DAMAGED);
  return postWebhook(address, signWebhook(uuid, text, secrets, now), text, { isAllowed, halt });
}

function sendByMail(
  { mailer, consoleUrl }: Senders,
  { delivery, destination, message, incidents, first }: Claimed,
  halt: AbortSignal,
): Promise<Outcome> {
  if (mailer === null) return Promise.resolve({ isDelivered: false, detail: 'SMTP_URL is not set.' });
  const { instead_of } = delivery;
  const isReply = first.uuid !== message.uuid;
  const mail = {
    to: destination.address,
    // Gmail shows mails as a conversation only if their subjects are the same after "Re: ".
    subject: isReply ? `Re: ${titleOf(first)}` : titleOf(message),
    text: `${textOf(message, incidents, consoleUrl)}${instead_of === null ? '' : `\nYou get this as the fallback of ${escapeInvisible(instead_of)}\n`}`,
    id: message.uuid,
    replyTo: isReply ? first.uuid : null,
  };
  return mailer.send(mail, halt);
}
