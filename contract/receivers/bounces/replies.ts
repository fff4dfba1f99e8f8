// Finds SMTP replies in whatever is pasted: a reply, log lines, a delivery report, a forwarded message. Takes linear time.

export type Reply = {
  /** In one line, as pasted. */
  text: string;
  /** `text` in lower case, without white space and repeated codes: line breaks don't matter. */
  compact: string;
  code: string | null;
  /** The enhanced status code (RFC 3463). */
  enhanced: string | null;
  /** What is before it and belongs to it, nearest last. */
  before: string;
  /** What of the reply can't belong to the next one. */
  own: string;
  /** The last `Reporting-MTA` before it; empty without one. */
  reporter: string;
  /** Whether it can be nothing but a reply. */
  isCertain: boolean;
  /** Whether it's in the line of another reply, which may quote it. */
  isInline: boolean;
};

const TEXT_MAX = 2000;
/** Fields of a delivery report after the reply (RFC 3464). */
const NEXT_FIELD =
  /\n(?:(?:last-attempt|final-log|remote|will-retry|final|original)[\w-]{0,30}|action|status|x-[\w-]{1,60}):/i;
/** Of RFC 5321, 4954, 7504 and usage. Other numbers are taken for something else. */
const CODES =
  /(?<![\w.@/])(421|43[12]|45[0-589]|471|50[0-4]|51[0-7]|52[1-5]|53[0458]|541|55[0-9]|571)(?=[\s,;:'"#)\]-]|$)/g;
const ENHANCED_AFTER_CODE = /["';:#-]{0,3}[ \n]{0,40}#?([45]\.\d{1,3}\.\d{1,3})(?![\w.])/y;
const ENHANCED_ALONE = /(?<![\w.])(?:status[:=] ?|dsn=|#|smtp; ?|"status": ?")?([45]\.[0-7]\.\d{1,3})(?![\w.])/gi;
/** What stands before a reply without an enhanced code; else it may be any number. */
const BEFORE_CODE = /(?:^|[\n:;(["'#|>]|said|returned|error|code|reply) {0,3}["']?$/i;

/** The replies of a text, in their order; at most `max`. */
export function findReplies(pasted: string, max: number): { replies: Reply[]; isWhole: boolean } {
  const replies: Reply[] = [];
  let reporter = '';
  for (const paragraph of toParagraphs(pasted)) {
    reporter = /^reporting-mta: *dns; *([\w.-]{1,253})/im.exec(paragraph)?.[1] ?? reporter;
    for (const reply of repliesOf(paragraph, reporter)) {
      if (replies.length === max) return { replies, isWhole: false };
      replies.push(reply);
    }
  }
  return { replies, isWhole: true };
}

function toParagraphs(pasted: string): string[] {
  const lines = withoutTags(pasted.normalize('NFKC'))
    .replaceAll(/\r\n?|\\r\\n|\\n/g, '\n')
    // Soft line breaks of quoted-printable.
    .replaceAll('=\n', '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll('\t', ' ')
    .replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, '')
    .split('\n')
    .map((line) => line.replace(/^(?:> ?|<<< )+/, '').trim());
  const paragraphs: string[][] = [];
  let isInside = false;
  for (const line of lines) {
    if (line === '') isInside = false;
    else if (isInside || isContinued(paragraphs.at(-1)?.at(-1), line)) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
    isInside ||= line !== '';
  }
  return paragraphs.map((one) => one.join('\n'));
}

/** Of a page that was copied with its tags: those within a line, those that end it, and what they can't show. */
function withoutTags(text: string): string {
  return text
    .replaceAll(/<\/?(?:a|b|code|em|font|i|small|span|strong|tt|u)(?:\s[^<>]{0,500})?>/gi, '')
    .replaceAll(/<\/?(?:br|div|li|p|pre|table|td|tr)(?:\s[^<>]{0,500})?\/?>/gi, '\n')
    .replaceAll('&nbsp;', ' ');
}

/** Whether two lines with something empty between are of one reply. */
function isContinued(previous: string | undefined, line: string): boolean {
  return previous !== undefined && /^[45]\d\d-/.test(previous) && line.startsWith(previous.slice(0, 3));
}

type Start = { at: number; end: number; code: string | null; enhanced: string | null; isCertain: boolean };

function* repliesOf(paragraph: string, reporter: string): Generator<Reply> {
  const all = [...findStarts(paragraph)];
  // A reply of several lines has its code in each, followed by "-" in all but the last (RFC 5321, section 4.2.1).
  const starts = all.filter((start, index) => !isContinuation(paragraph, all[index - 1], start));
  let previousEnd = 0;
  for (const [index, start] of starts.entries()) {
    const next = starts[index + 1];
    const span = paragraph.slice(start.at, next?.at);
    // The line in which the next one begins belongs to that.
    const lineStart = next === undefined ? -1 : span.lastIndexOf('\n');
    const limit = start.at + (lineStart === -1 ? span.length : lineStart + 1);
    const whole = paragraph.slice(start.at, Math.min(limit, start.at + TEXT_MAX));
    const before = paragraph.slice(Math.max(previousEnd, start.at - TEXT_MAX), start.at);
    yield {
      ...toTexts(whole, start),
      code: start.code,
      enhanced: start.enhanced,
      before,
      own: next === undefined ? whole : (whole.split('\n', 1)[0] ?? ''),
      reporter,
      isCertain: start.isCertain,
      isInline: index > 0 && !before.includes('\n'),
    };
    const lineEnd = paragraph.slice(start.end, next?.at).indexOf('\n');
    previousEnd = lineEnd === -1 ? start.end : start.end + lineEnd;
  }
}

function toTexts(whole: string, { code, enhanced }: Start): { text: string; compact: string } {
  const text = (whole.split(NEXT_FIELD, 1)[0] ?? '').replaceAll('\n', ' ').trim();
  const lower = text.toLowerCase();
  // The codes that begin each line of a reply interrupt its sentences.
  const codes = code === null ? [] : enhanced === null ? [`${code}-`] : [`${code}-${enhanced}`, `${code} ${enhanced}`];
  const plain = codes.reduce((rest, one) => rest.replaceAll(one, ' '), lower);
  return { text, compact: plain.replaceAll(' ', '') };
}

function* findStarts(paragraph: string): Generator<Start> {
  let hasCode = false;
  for (const { 0: match, 1: code = '', index: at } of paragraph.matchAll(CODES)) {
    const end = at + match.length;
    ENHANCED_AFTER_CODE.lastIndex = end;
    const [more = '', enhanced = null] = ENHANCED_AFTER_CODE.exec(paragraph) ?? [];
    const isAfterMark = BEFORE_CODE.test(paragraph.slice(Math.max(0, at - 12), at));
    if (enhanced === null && !isAfterMark) continue;
    hasCode = true;
    const isAlone = paragraph.length === match.length;
    const isCertain = enhanced !== null || isAlone || BEFORE_REPLY.test(paragraph.slice(Math.max(0, at - 9), at));
    yield { at, end: end + more.length, code, enhanced, isCertain };
  }
  if (hasCode) return;
  for (const { 0: match, 1: enhanced = '', index: at } of paragraph.matchAll(ENHANCED_ALONE)) {
    // Bare numbers with dots are versions, mostly.
    const isCertain = match !== enhanced || paragraph.length === match.length;
    if (isCertain) yield { at, end: at + match.length, code: null, enhanced, isCertain };
  }
}

const BEFORE_REPLY = /(?:said:|to me:|reason:|smtp;|\() ?$/i;

function isContinuation(paragraph: string, previous: Start | undefined, { at, code, enhanced }: Start): boolean {
  if (previous === undefined || previous.code === null || previous.code !== code) return false;
  if (BEFORE_REPLY.test(paragraph.slice(Math.max(0, at - 9), at))) return false;
  const isSame = enhanced === previous.enhanced || enhanced === null || previous.enhanced === null;
  return isSame && paragraph.charAt(previous.at + 3) === '-';
}
