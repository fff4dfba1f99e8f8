import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Outcome } from '../webhook/postWebhook.ts';

/** Milliseconds for each step of a conversation with the server, and for the whole. */
const STEP_TIMEOUT = 20_000;
const TIMEOUT = 60_000;

export type Mail = {
  to: string;
  subject: string;
  text: string;
  /** Identifies the message, so that a repeat has the same Message-ID. */
  id: string;
  /** Of an answer: the `id` of the mail that began the conversation. */
  replyTo: string | null;
};

export type Mailer = { from: string; send: (mail: Mail) => Promise<Outcome> };

/** Sends plain text through an SMTP server. `send` never rejects: a permanent refusal (5xx) is final. */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: STEP_TIMEOUT,
    greetingTimeout: STEP_TIMEOUT,
    socketTimeout: STEP_TIMEOUT,
    dnsTimeout: STEP_TIMEOUT,
  });
  const host = from.slice(from.lastIndexOf('@') + 1);
  const messageIdOf = (uuid: string) => `<${uuid}@${host}>`;
  const send = async ({ to, subject, text, id, replyTo }: Mail): Promise<Outcome> => {
    const begin = replyTo === null ? {} : { references: messageIdOf(replyTo), inReplyTo: messageIdOf(replyTo) };
    try {
      const sent = transport.sendMail({
        from,
        // As a text it could be a list.
        to: { name: '', address: to },
        subject,
        text,
        messageId: messageIdOf(id),
        ...begin,
        headers: { 'auto-submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const { response } = await Promise.race([sent, failAfter(TIMEOUT)]);
      return { isDelivered: true, detail: `The server said: ${response}` };
    } catch (error) {
      const { message, responseCode = 0, command = '' } = error as Error & { responseCode?: number; command?: string };
      // A refusal of the sign-in or of the connection isn't one of the message.
      const isFinal = responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command);
      return { isDelivered: false, detail: message, ...(isFinal && { isFinal }) };
    }
  };
  return { from, send };
}

async function failAfter(ms: number): Promise<never> {
  await delay(ms, null, { ref: false });
  throw new Error(`The mail server took more than ${ms / 1000} seconds.`);
}
