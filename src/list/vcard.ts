import type { ListLine } from './listLine.ts';
import { UnusableFileError } from './readFile.ts';

const LABELS: Readonly<Record<string, string>> = { EMAIL: 'Email', TEL: 'Phone' };
/** A property with its group, its parameters and its value. Only these two tell whose card it is; a note names others. */
const PROPERTY = /^(?:[\w-]{1,60}\.)?(email|tel)(?:;(?:"[^"]*"|[^":;])*)*:(.*)$/i;

/** Whether a text is a card with a contact, or several (RFC 6350). */
export const isVcard = (text: string): boolean => /^\ufeff?\s*BEGIN:VCARD[ \t]*(?:\r|\n)/i.test(text);

/** The emails and phone numbers of cards. Throws `UnusableFileError` where there are none. */
export function readVcard(text: string): ListLine[] {
  const lines: ListLine[] = [];
  // A line that begins with a blank goes on with the one before (RFC 6350, 3.2).
  const unfolded = text.replaceAll(/(?:\r\n|\r|\n)[ \t]/g, '');
  for (const line of unfolded.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = PROPERTY.exec(line) ?? [];
    if (value.trim() === '') continue;
    const source = LABELS[name.toUpperCase()] ?? null;
    const plain = value
      .trim()
      .replace(/^(?:tel|mailto):/i, '')
      .replaceAll(/\\([,;\\])/g, '$1');
    lines.push({ text: plain, line: lines.length + 1, source, isProse: false });
  }
  if (lines.length > 0) return lines;
  throw new UnusableFileError('This vCard has no email and no phone number in it.');
}
