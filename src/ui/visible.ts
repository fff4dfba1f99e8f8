/** What is not seen, or changes the place of what is: control characters, direction marks, letters without width, halves of pairs. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/gu;

/** `text` of somebody else with everything unseen in it written out, as in `\u202e`. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
