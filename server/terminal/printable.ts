import { escapeInvisible } from '#contract/invisibleCharacters.ts';

/** What no name that people give may hold: it steers a terminal, or turns the order of letters around. */
export const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** `text` as it may appear on a terminal: with everything invisible named, and not endless. */
export function toPrintable(text: string, max = 80): string {
  // Cut before as well: nobody waits for an endless text.
  return cut(escapeInvisible(cut(text, max)), max);
}

/** Without half of a character at its end. */
function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
