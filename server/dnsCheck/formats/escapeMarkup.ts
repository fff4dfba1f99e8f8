import { toPrintable } from '../../terminal/printable.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for HTML or XML, between tags or in double quotes. What XML forbids is invisible, too (https://www.w3.org/TR/xml/#charsets). */
export function escapeMarkup(text: string, max: number): string {
  return toPrintable(text, max).replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? '');
}
