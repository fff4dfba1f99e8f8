import PostalMime, { addressParser, type Attachment, type Email } from 'postal-mime';
import { identityKey } from '../../identity/parse/findIdentities.ts';
import type { IdentityField } from '../../identity/parse/parseIdentity.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { createPause } from '../pause.ts';
import { describeRequest, IN_MESSAGE, type Piece, readWhole } from '../piece.ts';
import { UnusableFileError } from '../readFile.ts';
import { findNamed, toLines } from '../readLines.ts';
import { isReply, isRequestSubject, isTopicSubject, readRequest, toNames } from '../requests.ts';
import { htmlToText } from './htmlToText.ts';
import {
  DELIVERY_STATUS,
  FEEDBACK_REPORT,
  readDeliveryStatus,
  readFeedback,
  type ReportRecipient,
} from './serverReport.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DEPTH_MAX = 10;
const MAILS_MAX = 20_000;
/** Nested mails are counted each time. */
const BYTES_MAX = 100 * 1024 * 1024;
/** A mail is parsed without a pause: 14 µs per line of text. Lines of attachments, which have no spaces or at signs, take a fifth. */
const LINES_MAX = 30_000;
const TEXT_LINE = /^[^\n @]*[ @]/gm;

const PEOPLE = new Map([
  ['from', 'From'],
  ['sender', 'Sender'],
  ['reply-to', 'Reply-To'],
  ['resent-from', 'Resent-From'],
  // Of lists and forwarders that replace From.
  ['x-original-from', 'X-Original-From'],
  ['x-original-sender', 'X-Original-Sender'],
  ['to', 'To'],
  ['cc', 'Cc'],
  ['bcc', 'Bcc'],
]);

/** Python's `email` wrongly folds a comma between mailboxes. */
const ENCODED_COMMA = /=\?[\w-]{1,20}\?q\?=2C\?=/gi;

const OF_REPORT = /^\s*multipart\/report/i;
const ADDRESS = /(?<![^\s<>"'(),;:[\]])[^\s<>"(),;:@[\]]{1,100}@[^\s<>"(),;:@[\]]{1,253}/g;

type MailReading = {
  pieces: Piece[];
  /** The sender of a single mail that isn't automatic, mentions nobody else and asks for nothing but their own unsubscribe. */
  author: Piece | null;
  notes: string[];
};

/**
 * Reads the people mentioned in header, subject and text of a mail or a mailbox file, attached mails included; in a report, only its
 * recipients. Throws `UnusableFileError`.
 */
export async function readMail(source: Uint8Array<ArrayBuffer>, identityField: IdentityField): Promise<MailReading> {
  const reader = new MailReader(identityField);
  for (const mail of splitMailbox(endLines(source))) await reader.read(mail, 0);
  return reader.finish();
}

/** Some programs end lines with a carriage return alone (RFC 5322, 2.3). */
function endLines(source: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isAlone = (at: number) => source[at + 1] !== NEWLINE;
  let at = source.indexOf(CARRIAGE_RETURN);
  while (at >= 0 && !isAlone(at)) at = source.indexOf(CARRIAGE_RETURN, at + 1);
  return at < 0 ? source : source.map((byte, index) => (byte === CARRIAGE_RETURN && isAlone(index) ? NEWLINE : byte));
}

class MailReader {
  readonly #identityField: IdentityField;
  readonly #pieces: Piece[] = [];
  readonly #unread: string[] = [];
  readonly #pause = createPause();
  readonly #authors = new Map<string, Piece>();
  /** Anyone mentioned but the authors. */
  readonly #others = new Set<string>();
  readonly #named = new Set<string>();
  /** Recipients, whose address a reply quotes. */
  readonly #addressed = new Set<string>();
  /** Lines without quotations; of each part of the mail. */
  readonly #ownTexts: string[][] = [];
  #subject = '';
  #names = '';
  #isToUnsubscribe = false;
  #isAutomatic = false;
  #count = 0;
  #bytes = 0;
  #skipped = 0;
  #reports = 0;
  #lines = 0;

  constructor(identityField: IdentityField) {
    this.#identityField = identityField;
  }

  async read(source: Uint8Array<ArrayBuffer>, depth: number): Promise<void> {
    this.#count += 1;
    this.#bytes += source.byteLength;
    if (depth > DEPTH_MAX || this.#count > MAILS_MAX || this.#bytes > BYTES_MAX) {
      this.#skipped += 1;
      return;
    }
    await this.#pause();
    const mail = await parseMail(source);
    if (mail.attachments.some(isReportPart)) {
      this.#reports += 1;
      for (const recipient of readReport(mail)) this.#addRecipient(recipient);
      return;
    }
    if (isAutomaticReply(mail)) this.#isAutomatic = true;
    this.#addHeader(mail);
    this.#subject = mail.subject ?? '';
    this.#names = `${mail.from?.name ?? ''} ${mail.from?.address?.split('@')[0] ?? ''}`;
    await this.#addText(this.#subject, 'Subject');
    const html = mail.html === undefined ? null : htmlToText(mail.html);
    await this.#addText(mail.text ?? html ?? unpartedText(mail, source), 'Text');
    if (mail.text !== undefined && html !== null) await this.#addText(html, 'HTML');
    for (const attachment of mail.attachments) {
      if (isAttachedMail(attachment)) await this.read(bytesOf(attachment), depth + 1);
      else this.#unread.push(attachment.filename ?? attachment.mimeType);
    }
  }

  finish(): MailReading {
    const mails = this.#count - this.#skipped;
    const notes = [
      this.#reports === this.#count
        ? 'Read as a report: only its recipients.'
        : `Read as ${mails === 1 ? 'a message' : `${formatCount(mails)} messages`}: header, subject and text. Mentioned contacts aren’t selected.`,
    ];
    if (this.#skipped > 0) {
      notes.push(
        `${formatCount(this.#skipped)} attached messages weren’t read: too many, too large or too deeply nested.`,
      );
    }
    if (this.#unread.length > 0) {
      const named = this.#unread.slice(0, 5).join(', ');
      notes.push(`Attachments were not read: ${named}${this.#unread.length > 5 ? ' and others' : ''}.`);
    }
    const [author = null] = this.#authors.values();
    const isOnly = this.#count === 1 && this.#authors.size === 1 && !this.#isAutomatic;
    const isAlone = this.#others.size === 0 && this.#unread.length === 0;
    if (author === null || !isOnly) return { pieces: this.#pieces, author: null, notes };
    const text = this.#ownTexts.map((lines) => lines.join('\n').trim()).find((each) => each !== '');
    const leftOut = describeRequest(text ?? this.#subject);
    const pieces = this.#pieces.map((piece) =>
      keyOf(piece) === keyOf(author) && piece.leftOut === IN_MESSAGE ? { ...piece, leftOut } : piece,
    );
    return { pieces, author: isAlone && this.#asksForOwn(author) ? author : null, notes };
  }

  /** Every part of the mail is a request, or it has none and the subject is one, or goes to the address of List-Unsubscribe. */
  #asksForOwn({ reading }: Piece): boolean {
    const address = reading.ok ? (reading.values[0] ?? '') : '';
    const names = toNames(this.#names);
    const asked = new Set(this.#ownTexts.map((lines) => readRequest({ lines, names, address })));
    if (asked.has('other')) return false;
    if (asked.has('request')) return isTopicSubject(this.#subject);
    if (this.#isToUnsubscribe && !/\S\s+\S/.test(this.#subject)) return true;
    return !isReply(this.#subject) && isRequestSubject(this.#subject);
  }

  async #addText(text: string, source: string): Promise<void> {
    const first = this.#lines + 1;
    const lines = toLines(text, source).map((line) => ({ ...line, line: this.#lines + line.line }));
    this.#lines += lines.length;
    const quoted = findQuoted(lines.map((line) => line.text));
    if (source !== 'Subject') this.#ownTexts.push(lines.filter((_, at) => !quoted.has(at)).map((line) => line.text));
    for (const piece of await findNamed(lines, this.#identityField)) {
      const key = keyOf(piece);
      if (source === 'HTML' && this.#named.has(key)) continue;
      this.#named.add(key);
      this.#pieces.push(piece);
      const isReplied = quoted.has(piece.line - first) && (!piece.reading.ok || this.#addressed.has(key));
      if (!this.#authors.has(key) && !isReplied) this.#others.add(key);
    }
  }

  #addRecipient({ address, source, leftOut }: ReportRecipient): void {
    this.#lines += 1;
    const whole = readWhole(address, this.#identityField);
    this.#pieces.push({ line: this.#lines, source, ...whole, leftOut: leftOut ?? whole.leftOut });
  }

  #addHeader({ headers }: Email): void {
    for (const { key, value } of headers) {
      const source = PEOPLE.get(key);
      if (source === undefined) continue;
      this.#lines += 1;
      for (const text of mailboxesOf(value)) {
        const { reading } = readWhole(text, this.#identityField);
        const piece: Piece = { line: this.#lines, source, text, reading, leftOut: IN_MESSAGE };
        this.#pieces.push(piece);
        if (!reading.ok) continue;
        if (!['to', 'cc', 'bcc'].includes(key)) this.#authors.set(keyOf(piece), piece);
        else this.#addressed.add(keyOf(piece));
        if (key === 'to' && UNSUBSCRIBE.test(text)) this.#isToUnsubscribe = true;
      }
    }
  }
}

/** As in `List-Unsubscribe: <mailto:unsub+C-70001@example.com>` (RFC 2369). */
const UNSUBSCRIBE = /^(?:list-)?(?:unsub|unsubscribe)(?:[+.=_-][^@]*)?@/i;

const keyOf = ({ text, reading }: Piece): string => (reading.ok ? identityKey(reading) : text);

/** Indexes of quoted lines, and of the lines right above, such as `On Monday, Acme wrote:`. */
function findQuoted(texts: readonly string[]): Set<number> {
  const quoted = new Set<number>();
  const rest = texts.findIndex((text) => /^(?:-{3,}[^-]{1,60}-{3,}|_{8,})\s*$/.test(text));
  let isAbove = false;
  for (let at = texts.length - 1; at >= 0; at -= 1) {
    const text = (texts[at] ?? '').trim();
    const isQuote = text.startsWith('>') || (rest !== -1 && at >= rest);
    if (isQuote) isAbove = true;
    else if (text === '' && !(texts[at + 1] ?? '').startsWith('>')) isAbove = false;
    if (isAbove) quoted.add(at);
  }
  return quoted;
}

/** The mailboxes of a header field; names if an address is missing. */
function mailboxesOf(value: string): string[] {
  const mailboxes = addressParser(value.replaceAll(ENCODED_COMMA, ','), { flatten: true });
  const texts = mailboxes.flatMap(({ name, address = '' }) => {
    if (address !== '') return [address];
    return /^undisclosed/i.test(name) || name === '' ? [] : [name];
  });
  const read = new Set(texts.map((text) => text.toLowerCase()));
  return [...texts, ...addressesIn(value).filter((address) => !read.has(address.toLowerCase()))];
}

const isAttachedMail = ({ mimeType }: Attachment) => mimeType === 'message/rfc822' || mimeType === 'message/global';

const isReturned = (attachment: Attachment) =>
  isAttachedMail(attachment) || attachment.mimeType === 'text/rfc822-headers';

/** RFC 3834, 5, and older conventions. */
const isAutomaticReply = ({ headers }: Email): boolean =>
  headers.some(
    ({ key, value }) =>
      (['auto-submitted', 'x-autoreply'].includes(key) && !/^\s*no\s*(?:[;(]|$)/i.test(value)) ||
      (key === 'precedence' && /^\s*auto_reply\b/i.test(value)) ||
      (key === 'return-path' && value.trim() === '<>') ||
      (key === 'content-type' && OF_REPORT.test(value)),
  );

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

/** A strict parser misses addresses after a missing comma, in a name, and after `on behalf of`. */
const addressesIn = (text: string): string[] =>
  Array.from(text.matchAll(ADDRESS), ([address]) => address.replaceAll(/^'+|(?<!['.])['.]+$/g, ''));

async function parseMail(source: Uint8Array<ArrayBuffer>): Promise<Email> {
  const lines = new TextDecoder('windows-1252').decode(source).match(TEXT_LINE)?.length ?? 0;
  if (lines > LINES_MAX) {
    throw new UnusableFileError(
      `This message has more than ${formatCount(LINES_MAX)} lines of text. Copy and paste the part with the contacts.`,
    );
  }
  try {
    return await PostalMime.parse(source, { forceRfc822Attachments: true });
  } catch (error) {
    throw new UnusableFileError(
      `This message can’t be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** Everything after the header, if the boundary is missing. */
function unpartedText({ attachments }: Email, source: Uint8Array): string {
  if (attachments.length > 0) return '';
  const text = new TextDecoder().decode(source);
  const end = /\r?\n\r?\n/.exec(text);
  return end === null ? '' : text.slice(end.index);
}

/** `From jane@example.com Mon Jan  1 00:00:00 2024`, at the start or after an empty line. */
const FIRST_LINE = /(?<=^|\n\r?\n)From \S+ .{10,60}\d{4}[^\n]*\n?/g;

/** The mails of a mailbox file (RFC 4155), or the only one. */
function splitMailbox(source: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const lines = [...new TextDecoder('windows-1252').decode(source).matchAll(FIRST_LINE)];
  if (lines[0]?.index !== 0) return [source];
  return lines.map(({ index, 0: { length } }, at) => source.slice(index + length, lines[at + 1]?.index));
}
