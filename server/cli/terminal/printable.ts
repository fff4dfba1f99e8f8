import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';

/** Makes text safe for a terminal: invisible characters are named, and it is truncated to `max` characters. */
export function toPrintable(text: string, max = 80): string {
  // Truncated first, so that a long text is not escaped in full.
  return cut(escapeInvisible(cut(text, max)), max);
}

/** Truncates without splitting a surrogate pair. */
function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
