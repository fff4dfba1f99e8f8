import { createTransport } from 'nodemailer';
import { HALTED, type Outcome } from '../webhook/postWebhook.ts';

/** Milliseconds for each step of a conversation with the server, and for the whole: less than the lease of a delivery. */
const STEP_TIMEOUT = 40_000;
const TIMEOUT = 100_000;

export type Mail = {
  to: string;
  subject: string;
  text: string;
  /** Identifies the message, so that a repeat has the same Message-ID. */
  id: string;
  /** Of an answer: the `id` of the mail that began the conversation. */
  replyTo: string | null;
};

export type Mailer = { from: string; send: (mail: Mail, halt: AbortSignal) => Promise<Outcome> };

/**
 * Sends plain text through an SMTP server, until `halt` aborts. `send` never rejects: a permanent refusal (5xx) is final. A password is sent only over TLS,
 * unless `smtpUrl` has `?ignoreTLS=true`.
 */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const url = new URL(smtpUrl);
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: url.password !== '' && url.searchParams.get('ignoreTLS') !== 'true',
    socketCloseTimeout: 0,
    connectionTimeout: STEP_TIMEOUT,
    greetingTimeout: STEP_TIMEOUT,
    socketTimeout: STEP_TIMEOUT,
    dnsTimeout: STEP_TIMEOUT,
  });
  const host = from.slice(from.lastIndexOf('@') + 1);
  const messageIdOf = (uuid: string) => `<${uuid}@${host}>`;
  const send = async ({ to, subject, text, id, replyTo }: Mail, halt: AbortSignal): Promise<Outcome> => {
    const begin = replyTo === null ? {} : { references: messageIdOf(replyTo), inReplyTo: messageIdOf(replyTo) };
    const timeout = AbortSignal.timeout(TIMEOUT);
    try {
      const { response } = await transport.sendMail({
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
        // Closes the connection, so that nothing is sent afterwards.
        signal: AbortSignal.any([timeout, halt]),
      });
      return { isDelivered: true, detail: `The server said: ${response}` };
    } catch (error) {
      if (halt.aborted) return { ...HALTED, mayHaveArrived: true };
      if (timeout.aborted) {
        return {
          isDelivered: false,
          detail: `The mail server took more than ${TIMEOUT / 1000} seconds.`,
          mayHaveArrived: true,
        };
      }
      return judgeError(error as SmtpError);
    }
  };
  return { from, send };
}

type SmtpError = Error & {
  responseCode?: number;
  command?: string;
  code?: string;
  syscall?: string;
  timeoutType?: string;
};

function judgeError({ message: detail, responseCode = 0, command = '', ...error }: SmtpError): Outcome {
  // A refusal of the sign-in or of the connection isn't one of the message.
  if (responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command))
    return { isDelivered: false, detail, isFinal: true };
  // What ends a connection can come after the server has accepted the mail.
  const mayHaveArrived =
    error.timeoutType === 'SOCKET_TIMEOUT' ||
    (['ECONNECTION', 'ESOCKET'].includes(error.code ?? '') && responseCode === 0 && error.syscall !== 'connect');
  return { isDelivered: false, detail, ...(mayHaveArrived && { mayHaveArrived }) };
}
