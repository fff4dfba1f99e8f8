import { printable } from '../../admin/printable.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for HTML or XML, between tags or in double quotes. */
export function escapeMarkup(text: string, max: number): string {
  // XML forbids these two as well (https://www.w3.org/TR/xml/#charsets).
  const allowed = printable(text, max).replaceAll(/[\ufffe\uffff]/g, '\ufffd');
  return allowed.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? '');
}
