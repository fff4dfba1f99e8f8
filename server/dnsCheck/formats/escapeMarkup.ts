import { must } from '#contract/must.ts';
import { toPrintable } from '../../terminal/printable.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Escapes text for HTML or XML, in content or in double quotes. `toPrintable` also escapes the characters that XML
 * forbids (https://www.w3.org/TR/xml/#charsets).
 */
export function escapeMarkup(text: string, max: number): string {
  return toPrintable(text, max).replaceAll(/[&<>"]/g, (char) => must(ENTITIES[char]));
}
