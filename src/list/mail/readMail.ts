import PostalMime, { addressParser, type Attachment, type Email } from 'postal-mime';
import { formatCount } from '../../ui/formatCount.ts';
import { joinBrokenAddresses } from '../brokenAddresses.ts';
import type { ListLine } from '../listLine.ts';
import { createPause } from '../pause.ts';
import { UnusableFileError } from '../readFile.ts';
import { htmlToText } from './htmlToText.ts';
import { splitMailbox } from './mailbox.ts';
import {
  DELIVERY_STATUS,
  FEEDBACK_REPORT,
  readDeliveryStatus,
  readFeedback,
  type ReportRecipient,
} from './serverReport.ts';
import { isForwardedSubject, isForwardedText, PART_LABELS, splitMailText } from './mailText.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Mails within mails that are opened. */
const DEPTH_MAX = 10;
const MAILS_MAX = 20_000;
/** Bytes of all mails that are opened, one within another counted each time. */
const BYTES_MAX = 100 * 1024 * 1024;

/** Lines of one mail. It is parsed without a pause, and that takes as long as it has lines. 20 MB of attachments have fewer. */
const LINES_MAX = 300_000;

/** Header fields that name people; all others have addresses of machines, or IDs of mails. */
const PEOPLE = new Map([
  ['from', 'From'],
  ['to', 'To'],
  ['cc', 'Cc'],
  ['bcc', 'Bcc'],
  ['reply-to', 'Reply-To'],
]);

/** A comma between mailboxes as Python's `email` wrongly folds it. */
const ENCODED_COMMA = /=\?[\w-]{1,20}\?q\?=2C\?=/gi;

export type MailReading = {
  lines: ListLine[];
  /** What was not read, in sentences, and how many mails were. */
  notes: string[];
};

/**
 * Reads the source of a mail, or of a mailbox file: the people in the header, and the text with what it quotes. Mails that
 * are attached are read too. The text of HTML is read only where there is no plain one. Throws `UnusableFileError`.
 */
export async function readMail(source: Uint8Array<ArrayBuffer>): Promise<MailReading> {
  const reader = new MailReader();
  for (const mail of splitMailbox(endLines(source))) await reader.readNext(mail);
  return reader.finish();
}

/** With line feeds in place of carriage returns that stand alone, which end lines in files of some programs, and nothing else (RFC 5322, 2.3). */
function endLines(source: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isAlone = (at: number) => source[at + 1] !== NEWLINE;
  let at = source.indexOf(CARRIAGE_RETURN);
  while (at >= 0 && !isAlone(at)) at = source.indexOf(CARRIAGE_RETURN, at + 1);
  return at < 0 ? source : source.map((byte, index) => (byte === CARRIAGE_RETURN && isAlone(index) ? NEWLINE : byte));
}

/** What a mail has of the one that it is attached to. */
type Within = { isReport: boolean; isAutomatic: boolean };

class MailReader {
  readonly #lines: ListLine[] = [];
  readonly #unread: string[] = [];
  readonly #pause = createPause();
  #count = 0;
  #bytes = 0;
  #skipped = 0;
  /** The mail that is read. */
  #mail: NonNullable<ListLine['mail']> = {
    number: -1,
    depth: 0,
    isForward: false,
    isReport: false,
    isAutomatic: false,
  };

  /** Reads a mail, and those within it. */
  async readNext(source: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#read(source, this.#mail.number + 1, 0, { isReport: false, isAutomatic: false });
  }

  async #read(source: Uint8Array<ArrayBuffer>, number: number, depth: number, within: Within): Promise<void> {
    this.#count += 1;
    this.#bytes += source.byteLength;
    if (depth > DEPTH_MAX || this.#count > MAILS_MAX || this.#bytes > BYTES_MAX) {
      this.#skipped += 1;
      return;
    }
    await this.#pause();
    const mail = await parseMail(source);
    const text = mail.text ?? (mail.html === undefined ? unpartedText(mail, source) : htmlToText(mail.html));
    const texts = joinBrokenAddresses(text.split(/\r\n|\r|\n/));
    const isForward =
      isForwardedSubject(mail.subject ?? '') || mail.attachments.some(isAttachedMail) || isForwardedText(texts);
    const isReport = within.isReport || isServerReport(mail);
    const isAutomatic = within.isAutomatic || isAutomaticReply(mail);
    const ofMail = { number, depth, isForward: isForward && !isReport, isReport, isAutomatic };
    this.#mail = ofMail;
    this.#addHeader(mail);
    // Before the text, which names them without what became of them.
    this.#addRecipients(readReport(mail));
    for (const { text: line, part } of splitMailText(texts)) {
      this.#add(line, PART_LABELS[part], true);
      await this.#pause();
    }
    for (const attachment of mail.attachments) {
      this.#mail = ofMail;
      await this.#readAttachment(attachment);
    }
  }

  finish(): MailReading {
    const mails = this.#count - this.#skipped;
    const notes = [
      `Read as ${mails === 1 ? 'a mail' : `${formatCount(mails)} mails`}: header, text, quoted text and signature apart. Lines that name nobody are left away.`,
    ];
    if (this.#skipped > 0) {
      notes.push(
        `${formatCount(this.#skipped)} of the mails within were not read: they are too many, too large or too deep.`,
      );
    }
    if (this.#unread.length > 0) {
      const named = this.#unread.slice(0, 5).join(', ');
      notes.push(`Attachments were not read: ${named}${this.#unread.length > 5 ? ' and others' : ''}.`);
    }
    return { lines: this.#lines, notes };
  }

  #add(text: string, source: string, isProse: boolean): void {
    this.#lines.push({ text, line: this.#lines.length + 1, source, isProse, mail: this.#mail });
  }

  #addHeader({ headers }: Email): void {
    for (const { key, value } of headers) {
      const label = PEOPLE.get(key);
      if (label === undefined) continue;
      const mailboxes = addressParser(value.replaceAll(ENCODED_COMMA, ','), { flatten: true });
      for (const { name, address = '' } of mailboxes) {
        // A name may be somebody else's address, to mislead.
        const isNamed = name !== '' && !name.includes('@');
        if (address !== '') this.#add(isNamed ? `${name} <${address}>` : address, label, false);
        else if (!/^undisclosed/i.test(name)) this.#add(name, label, false);
      }
      const read = new Set(mailboxes.map(({ address }) => address));
      for (const address of bracketedAddresses(value)) if (!read.has(address)) this.#add(address, label, false);
    }
  }

  async #readAttachment(attachment: Attachment): Promise<void> {
    const { mimeType, filename } = attachment;
    const bytes = bytesOf(attachment);
    if (isAttachedMail(attachment)) return this.#read(bytes, this.#mail.number, this.#mail.depth + 1, this.#mail);
    if (isReportPart(attachment)) return undefined;
    if (mimeType === 'text/rfc822-headers' || !/^(?:text|message)\/|sheet|csv|excel|zip/.test(mimeType))
      return undefined;
    this.#unread.push(filename ?? mimeType);
    return undefined;
  }

  #addRecipients(recipients: readonly ReportRecipient[]): void {
    for (const { address, source } of recipients) this.#add(address, source, false);
  }
}

const isAttachedMail = ({ mimeType }: Attachment) => mimeType === 'message/rfc822' || mimeType === 'message/global';

/** A mail or its header, as a report returns it. */
const isReturned = (attachment: Attachment) =>
  isAttachedMail(attachment) || attachment.mimeType === 'text/rfc822-headers';

/** Whether a program answered (RFC 3834, 5, and what programs wrote before it). */
const isAutomaticReply = ({ headers }: Email): boolean =>
  headers.some(
    ({ key, value }) =>
      (['auto-submitted', 'x-autoreply'].includes(key) && !/^\s*no\s*(?:[;(]|$)/i.test(value)) ||
      (key === 'precedence' && /^\s*auto_reply\b/i.test(value)),
  );

const isServerReport = ({ headers, attachments }: Email): boolean =>
  headers.some(({ key, value }) => key === 'content-type' && /^\s*multipart\/report/i.test(value)) ||
  attachments.some(isReportPart);

const isReportPart = ({ mimeType }: Attachment) => DELIVERY_STATUS.test(mimeType) || mimeType === FEEDBACK_REPORT;

function readReport({ attachments }: Email): ReportRecipient[] {
  const returned = attachments.filter(isReturned).map(bytesOf);
  return attachments.flatMap((attachment) => {
    if (!isReportPart(attachment)) return [];
    const bytes = bytesOf(attachment);
    return attachment.mimeType === FEEDBACK_REPORT ? readFeedback(bytes, returned) : readDeliveryStatus(bytes);
  });
}

const bytesOf = ({ content }: Attachment): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);

/**
 * The addresses in angle brackets. A strict parser misses those after a comma that is lacking. Both patterns take linear time: the
 * first matches at every quotation mark, closed or not, and the second tells addresses from other texts afterwards.
 */
function bracketedAddresses(value: string): string[] {
  const unquoted = value.replaceAll(/"(?:[^"\\]|\\.?)*("|$)/g, (text, end: string) => (end === '' ? text : ''));
  return [...unquoted.matchAll(/<([^<>\s]+)>/g)].map(([, text = '']) => text).filter((text) => /.@./.test(text));
}

async function parseMail(source: Uint8Array<ArrayBuffer>): Promise<Email> {
  if (hasMoreLines(source, LINES_MAX)) {
    throw new UnusableFileError(
      `This mail has more than ${formatCount(LINES_MAX)} lines. Copy the part with the contacts, and paste it.`,
    );
  }
  try {
    return await PostalMime.parse(source, { forceRfc822Attachments: true });
  } catch (error) {
    throw new UnusableFileError(`This mail cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function hasMoreLines(source: Uint8Array, limit: number): boolean {
  let count = 0;
  for (let at = source.indexOf(NEWLINE); at >= 0 && count <= limit; at = source.indexOf(NEWLINE, at + 1)) count += 1;
  return count > limit;
}

/** The text of a mail whose boundary never comes, so that it has no part: all that follows the header. */
function unpartedText({ attachments }: Email, source: Uint8Array): string {
  if (attachments.length > 0) return '';
  const text = new TextDecoder().decode(source);
  const end = /\r?\n\r?\n/.exec(text);
  return end === null ? '' : text.slice(end.index);
}
