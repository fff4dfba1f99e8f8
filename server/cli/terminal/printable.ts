import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';

export function toPrintable(text: string, max = 80): string {
  // Truncated first, so that a long text is not escaped in full.
  return cut(escapeInvisible(cut(text, max)), max);
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
