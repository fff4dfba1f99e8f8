import { isClosing, isSalutation } from './letterWords.ts';

/** The parts of the text of a mail. */
export type TextPart = 'body' | 'quoted' | 'quotedSender' | 'earlier' | 'recipients' | 'signature';
/** The parts in words. */
export const PART_LABELS: Readonly<Record<TextPart, string>> = {
  body: 'Text',
  quoted: 'Quoted text',
  quotedSender: 'Quoted sender',
  earlier: 'Earlier quoted text',
  recipients: 'Quoted recipients',
  signature: 'Signature',
};
export type TextLine = { text: string; part: TextPart };

/** Lines that decide whether a text is a thread. */
const THREAD_SAMPLE = 2000;
/** Characters of a line that are compared with the marks below. */
const MARK_MAX = 400;
/** `On Monday, Jane <jane@example.com> wrote:`, as mail clients write it in their languages: how it begins, and its verb. */
const ATTRIBUTION_START = /^\s*(?:on|am|le|el|il|op|em|den|dne|dnia|w dniu|på)\s.{4}/i;
const ATTRIBUTION_VERB = /wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napsal|napisał/gi;
/** Characters before the verb, and behind it. */
const BEFORE_VERB = 5;
const BEHIND_VERB = 90;
/** `Jane <jane@example.com> wrote:`. */
const NAMED_WRITER =
  /(?:^|\s)(?:<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)\s(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napsal|napisał)\s?[:：]$/i;
/** `2026-11-25 9:30 GMT+01:00 Jane <jane@example.com>:`. A part of it, so that each takes linear time. */
const ADDRESS_AT_END = /<([^<>\s]+)>\s?(?:wrote|schrieb|a écrit)?\s?[:：]$/i;
/** `-----Original Message-----` and the like: all that follows is quoted. */
const ORIGINAL =
  /^\s*(?:-{2,}\s?(?:original message|original-nachricht|forwarded message|original appointment|ursprüngliche nachricht|weitergeleitete nachricht|message d’origine|message d'origine|message transféré|message original|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|doorgestuurd bericht|mensagem original|mensagem encaminhada|originalmeddelande)\s?-{2,}|begin forwarded message:|anfang der weitergeleiteten nachricht:|début du message (?:réexpédié|transféré)\s?:)\s*$/i;
/** The same of a mail that was forwarded, and how its subject begins: not with `Re:` before it. */
const FORWARDED =
  /forwarded message|weitergeleitete|transféré|réexpédié|mensaje reenviado|messaggio inoltrato|doorgestuurd bericht|mensagem encaminhada/i;
const FORWARDED_SUBJECT = /^\s*(?:\[[^\]]{0,40}\]\s*)?\[?(?:fwd?|wg|tr|rv|enc|i|doorst|fs|vb|pd)(?:\s?[:：]|\s*$)/i;
/** The fields of the header that clients write above a quoted mail: its sender, when it was sent and about what, and to whom. */
const HEADER_FROM = /^\s*\*?(?:from|von|de|da|van|från|fra|od)\s?:\*?\s/i;
const HEADER_ABOUT =
  /^\s*\*?(?:sent|date|subject|gesendet|datum|betreff|envoyé|objet|enviad[oa](?:\se[lm])?|fecha|asunto|assunto|inviato|data|oggetto|verzonden|onderwerp|skickat|wysłano|temat)\s?:\*?/i;
const HEADER_TO = /^\s*\*?(?:to|an|à|para|a|aan|till|do)\s?:\*?/i;
/** The fields of that header with the people who have received the mail. */
const HEADER_RECIPIENTS =
  /^\s*\*?(?:to|cc|bcc|an|kopie(?:\s\(cc\))?|à|para|cc\s?ci|a|aan|till|kopia|do|dw)\s?:\*?(?:\s|$)/i;
const HEADER_FIELD = /^\s*\*?\p{L}[\p{L} ()-]{0,20}\s?:\*?(?:\s|$)/u;
/** Lines above and below that of the sender in which the others stand. */
const HEADER_NEAR = 4;
/** RFC 3676, 4.3. Some clients drop the blank. */
const SIGNATURE = /^-- ?$/;
/** Lines with a text that a signature has at most, and lines that are looked at for it. */
const SIGNATURE_MAX = 20;
const BLOCK_MAX = 60;
/** Above the footer that a mailing list adds. */
const LIST_FOOTER = /^_{30,}$/;
/** Header fields with addresses of machines, in a text with the source of a mail. */
const TRACE_FIELD =
  /^(?:message-id|in-reply-to|references|received|return-path|dkim-[\w-]+|arc-[\w-]+|list-[\w-]+|x-[\w-]+|authentication-results|received-spf|domainkey-signature|errors-to|feedback-id|mime-version|content-[\w-]+)\s*:/i;
const MACHINE_LINK = /\b(?:cid|mid|message-id)\s?:\s?<?[^\s<>]+>?/gi;

/**
 * Tells apart what the writer of a mail wrote, what it quotes, from and to whom that was sent, and the signature. Lines with IDs of mails and other traces
 * of machines are empty in the result, which has a line for each line of `text`.
 */
export function* splitMailText(text: readonly string[]): Generator<TextLine, void, void> {
  const lines = text.map((line) => line.slice(0, MARK_MAX));
  const unquotedLines = lines.map((line) => line.replace(/^[>\s]*>\s?/, ''));
  let part: TextPart = 'body';
  let header: HeaderPart = null;
  let isBegun = false;
  let isTrace = false;
  let isEarlier = false;
  /** Whether there was a header above what is quoted, and how many signs stand before its lines: `>` in a mail that Apple Mail forwards. */
  let isHeaded = false;
  let level: number | null = null;
  /** Lines of what is quoted, without those of its header. */
  let quotedLines = 0;
  for (const [index, whole] of text.entries()) {
    const line = lines[index] ?? '';
    const isQuoted = line.startsWith('>');
    const unquoted = unquotedLines[index] ?? '';
    isTrace = TRACE_FIELD.test(unquoted) || (isTrace && /^[ \t]+\S/.test(unquoted));
    if (isQuoted && part === 'signature') part = 'body';
    if (!isQuoted && part !== 'quoted') part = partFrom(lines, index, part, isBegun);
    isBegun ||= part === 'body' && line.trim() !== '';
    // An attribution is of the quoted part, though what follows the quotation may be of the body again.
    const own: TextPart = isQuoted || (part !== 'quoted' && isAttribution(lines, index)) ? 'quoted' : part;
    header = headerFrom(unquotedLines, index, header);
    const isNamed = isAttribution(unquotedLines, index);
    if (part === 'quoted') {
      const isHeading = isNamed || ORIGINAL.test(unquoted);
      if (!isHeading && unquoted.trim() !== '') level ??= levelOf(line);
      // What a quoted mail quotes itself.
      const isInner = isNamed || (level !== null && levelOf(line) > level);
      const isMark = isInner || isHeading || isHeaderStart(unquotedLines, index);
      isEarlier ||= isMark && (quotedLines > 0 || (isInner && isHeaded));
      isHeaded ||= header !== null;
      if (header === null && unquoted.trim() !== '' && !isMark) quotedLines += 1;
    }
    yield {
      text: isTrace ? '' : whole.replaceAll(MACHINE_LINK, ' '),
      part: own === 'quoted' ? quotedPart(header, isEarlier, isNamed) : own,
    };
  }
}

const levelOf = (line: string): number => /^[>\s]*/.exec(line)?.[0].replaceAll(/\s/g, '').length ?? 0;

function quotedPart(header: HeaderPart, isEarlier: boolean, isNamed: boolean): TextPart {
  if (header === 'recipients') return header;
  if (isEarlier) return 'earlier';
  return header === 'sender' || isNamed ? 'quotedSender' : 'quoted';
}

/** What a line is of in the header above a quoted mail; null where it is of none. */
type HeaderPart = 'sender' | 'recipients' | 'other' | null;

/** A field may go on in the next lines. */
function headerFrom(lines: readonly string[], index: number, header: HeaderPart): HeaderPart {
  const line = lines[index] ?? '';
  if (line.trim() === '' || (header === null && !isHeaderStart(lines, index))) return null;
  if (HEADER_FROM.test(line)) return 'sender';
  if (HEADER_RECIPIENTS.test(line)) return 'recipients';
  return header === null || HEADER_FIELD.test(line) ? 'other' : header;
}

/** The part that begins at a line without a `>`, or goes on there. `isBegun`: whether somebody has written before. */
function partFrom(lines: readonly string[], index: number, part: TextPart, isBegun: boolean): TextPart {
  const line = lines[index] ?? '';
  if (ORIGINAL.test(line) || isHeaderStart(lines, index)) return 'quoted';
  if (isAttributionStart(lines, index) && !nextText(lines, attributionEnd(lines, index) + 1).startsWith('>'))
    return 'quoted';
  if (SIGNATURE.test(line) || LIST_FOOTER.test(line.trim())) return 'signature';
  if (part === 'signature') return isSalutation(line) ? 'body' : part;
  return isBegun && isClosing(line) && isShortBlock(lines, index + 1) ? 'signature' : part;
}

/** Whether few lines follow from `index` on, up to a quotation or the end. More are no signature, but a list. */
function isShortBlock(lines: readonly string[], index: number): boolean {
  let filled = 0;
  for (const line of lines.slice(index, index + BLOCK_MAX)) {
    if (line.startsWith('>') || ORIGINAL.test(line) || HEADER_FROM.test(line) || isSalutation(line)) return true;
    if (line.trim() !== '') filled += 1;
    if (filled > SIGNATURE_MAX) return false;
  }
  return true;
}

/** Whether a text that is no thread closes as a letter does, with a signature below. Its last lines decide. */
export function isLetter(text: readonly string[]): boolean {
  for (const { part } of splitMailText(text.slice(-THREAD_SAMPLE))) if (part === 'signature') return true;
  return false;
}

/** Whether a line is the field of the sender in the header above a quoted mail: two of the others are near. */
function isHeaderSender(lines: readonly string[], index: number): boolean {
  if (!HEADER_FROM.test(lines[index] ?? '')) return false;
  const above = lines.slice(Math.max(0, index - HEADER_NEAR), index).filter((line) => HEADER_ABOUT.test(line));
  const below = lines.slice(index + 1, index + 1 + HEADER_NEAR);
  return above.length + below.filter((line) => HEADER_ABOUT.test(line) || HEADER_TO.test(line)).length >= 2;
}

/** Whether such a header begins at a line: with the sender, or with the subject or date above, as Thunderbird writes it. */
function isHeaderStart(lines: readonly string[], index: number): boolean {
  if (isHeaderSender(lines, index)) return true;
  if (!HEADER_ABOUT.test(lines[index] ?? '')) return false;
  const next = lines.slice(index + 1, index + 1 + HEADER_NEAR);
  const sender = next.findIndex((_, below) => isHeaderSender(lines, index + 1 + below));
  return sender >= 0 && next.slice(0, sender).every((line) => HEADER_FIELD.test(line));
}

/** The first line with a text from `index` on. */
function nextText(lines: readonly string[], index: number): string {
  return lines.slice(index, index + 4).find((line) => line.trim() !== '') ?? '';
}

/** Whether the line, or several that are joined, name who wrote what follows. Takes linear time, whatever the text. */
function isAttributionText(line: string): boolean {
  const text = line.trimEnd();
  if (!/[:：]$/.test(text) || !/[\d@<]/.test(text)) return false;
  if (ATTRIBUTION_START.test(text)) {
    const verb = [...text.matchAll(ATTRIBUTION_VERB)].at(-1);
    if (verb !== undefined && verb.index > BEFORE_VERB && text.length - verb.index <= BEHIND_VERB) return true;
  }
  if (NAMED_WRITER.test(text)) return true;
  const end = ADDRESS_AT_END.exec(text);
  return end !== null && /.@./.test(end[1] ?? '') && /\d{4}/.test(text.slice(0, end.index));
}

const isAttributionStart = (lines: readonly string[], index: number) => attributionEnd(lines, index) >= index;

/** The last line of the attribution that begins at `index`; -1 when none does. It may be broken into three lines. */
function attributionEnd(lines: readonly string[], index: number): number {
  const start = lines[index] ?? '';
  if (isAttributionText(start)) return index;
  if (!ATTRIBUTION_START.test(start)) return -1;
  for (const count of [1, 2]) {
    const joined = lines.slice(index, index + 1 + count);
    if (joined.slice(1).some((line) => line.trim() === '' || line.startsWith('>'))) return -1;
    if (isAttributionText(joined.join(' '))) return index + count;
  }
  return -1;
}

/** Whether the line is part of an attribution. */
const isAttribution = (lines: readonly string[], index: number) =>
  [0, 1, 2].some((back) => index - back >= 0 && attributionEnd(lines, index - back) >= index);

/** Whether the subject is that of a mail that was forwarded. */
export const isForwardedSubject = (subject: string): boolean => FORWARDED_SUBJECT.test(subject);

/** Whether the first mail that a text quotes is one that was forwarded, as a mark above it says. Its first lines decide. */
export function isForwardedText(text: readonly string[]): boolean {
  const lines = text.slice(0, THREAD_SAMPLE).map((line) => line.slice(0, MARK_MAX));
  const first = lines.findIndex((_, index) => isQuotationMark(lines, index));
  const mark = lines[first] ?? '';
  return ORIGINAL.test(mark) && FORWARDED.test(mark);
}

/** Whether a line is quoted by its sign, or stands above what is. */
const isQuotationMark = (lines: readonly string[], index: number) =>
  (lines[index] ?? '').startsWith('>') ||
  ORIGINAL.test(lines[index] ?? '') ||
  isHeaderStart(lines, index) ||
  isAttribution(lines, index);

/** Whether a pasted text is a copy of mails that answer each other. Its first lines decide. */
export function isThread(text: readonly string[]): boolean {
  const lines = text.slice(0, THREAD_SAMPLE);
  let quotes = 0;
  return lines.some((whole, index) => {
    const line = whole.slice(0, MARK_MAX);
    if (line.startsWith('>')) quotes += 1;
    return quotes >= 2 || ORIGINAL.test(line) || isHeaderSender(lines, index) || attributionEnd(lines, index) >= 0;
  });
}
