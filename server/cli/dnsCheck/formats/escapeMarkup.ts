import { must } from '#contract/values/must.ts';
import { toPrintable } from '../../terminal/printable.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** For content and double quotes. `toPrintable` escapes what XML forbids (https://www.w3.org/TR/xml/#charsets). */
export function escapeMarkup(text: string, max: number): string {
  return toPrintable(text, max).replaceAll(/[&<>"]/g, (char) => must(ENTITIES[char]));
}
