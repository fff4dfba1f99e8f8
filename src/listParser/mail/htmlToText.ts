import { decodeEntities } from '../../identity/parse/entities.ts';

const BLOCK =
  /^(?:p|div|br|tr|li|ul|ol|dl|dt|dd|table|h[1-6]|hr|pre|blockquote|section|article|header|footer|address|center|form|fieldset)$/;
const HIDDEN = /^(?:script|style|title|template|noscript|textarea|svg)$/;
const HIDDEN_END = /<\/(?:script|style|title|template|noscript|textarea|svg)\b/gi;
const VOID = /^(?:br|hr|img|input|meta|link|col|area|base|wbr|source)$/;
/** Classes that mail clients use for quotations. */
const QUOTE = /gmail_quote|moz-cite-prefix|yahoo_quoted|protonmail_quote/;
const SIGNATURE = /gmail_signature|moz-signature|protonmail_signature/;

type Tag = { name: string; isEnd: boolean; attributes: string };

/**
 * The text of an HTML mail, for finding addresses. Quoted lines begin with `>`, a signature with `-- `, and the address of a link
 * follows its text. It takes linear time.
 */
export function htmlToText(html: string): string {
  const writer = new TextWriter();
  for (let at = 0; at < html.length;) {
    const start = html.indexOf('<', at);
    if (start < 0) {
      writer.addText(html.slice(at));
      break;
    }
    writer.addText(html.slice(at, start));
    at = skipTag(html, start, writer);
  }
  return writer.finish();
}

function skipTag(html: string, start: number, writer: TextWriter): number {
  if (html.startsWith('<!--', start)) return endOf(html, '-->', start + 4);
  // Any other character after the bracket makes it text. Checked first: brackets in a row must take linear time.
  const end = /[a-z/!?]/i.test(html.charAt(start + 1)) ? html.indexOf('>', start) : start;
  if (end <= start) {
    const after = end < 0 ? html.length : start + 1;
    writer.addText(html.slice(start, after));
    return after;
  }
  const tag = parseTag(html.slice(start + 1, end));
  if (!tag.isEnd && HIDDEN.test(tag.name)) return endOfHidden(html, end + 1);
  writer.addTag(tag);
  return end + 1;
}

function endOf(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

function endOfHidden(html: string, from: number): number {
  HIDDEN_END.lastIndex = from;
  const match = HIDDEN_END.exec(html);
  return match === null ? html.length : endOf(html, '>', match.index);
}

function parseTag(inside: string): Tag {
  const match = /^(\/?)([a-z][\w:-]{0,40})/i.exec(inside);
  if (match === null) return { name: '', isEnd: false, attributes: '' };
  return {
    name: (match[2] ?? '').toLowerCase(),
    isEnd: match[1] === '/',
    attributes: inside.slice(match[0].length, 4096),
  };
}

class TextWriter {
  readonly #lines: string[] = [];
  #line = '';
  /** Innermost last, with the number of open elements of that name. */
  readonly #quotes: { name: string; open: number }[] = [];
  #link: { address: string; text: string } | null = null;

  addText(text: string): void {
    const plain = decodeEntities(text).replaceAll(/[\s\u00a0]+/g, ' ');
    this.#line += plain;
    if (this.#link !== null) this.#link.text += plain;
  }

  addTag({ name, isEnd, attributes }: Tag): void {
    if (name === 'a') this.#addLink(isEnd ? null : mailAddress(attributes));
    if (name === 'del' || name === 's' || name === 'strike') this.#line += '~~';
    if (name === 'td' || name === 'th') this.#line += ' ';
    if (!BLOCK.test(name)) return;
    this.#break();
    if (VOID.test(name)) return;
    const quote = this.#quotes.at(-1);
    if (!isEnd && (name === 'blockquote' || QUOTE.test(attributes))) this.#quotes.push({ name, open: 1 });
    else if (quote?.name === name) quote.open += isEnd ? -1 : 1;
    if (quote?.open === 0) this.#quotes.pop();
    if (!isEnd && this.#quotes.length === 0 && SIGNATURE.test(attributes)) this.#lines.push('-- ');
  }

  finish(): string {
    this.#break();
    return this.#lines.join('\n');
  }

  #addLink(address: string | null): void {
    const link = this.#link;
    if (link !== null && !link.text.toLowerCase().includes(link.address.toLowerCase()))
      this.#line += ` <${link.address}> `;
    this.#link = address === null ? null : { address, text: '' };
  }

  #break(): void {
    const line = this.#line.replaceAll(/ +/g, ' ').trim();
    this.#line = '';
    this.#lines.push(line !== '' && this.#quotes.length > 0 ? `> ${line}` : line);
  }
}

function mailAddress(attributes: string): string | null {
  const address = /href\s*=\s*(?:["']\s*)?mailto:([^"'?>\s]+)/i.exec(attributes)?.[1];
  return address === undefined ? null : decodeEntities(address).replaceAll('%40', '@');
}
