/** What steers a terminal, or turns the order of letters around; not what joins letters and emoji. */
export const STEERING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** `text` as it may appear on a terminal: without characters that steer it, and not endless. */
export function printable(text: string, max = 80): string {
  // Cut first: half of a character pair may be left.
  const short = text.length > max ? `${text.slice(0, max - 1)}…` : text;
  return short.replaceAll(new RegExp(STEERING, 'gu'), '\ufffd');
}
