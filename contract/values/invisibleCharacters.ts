/** Characters that are invisible or reorder others, private and unassigned code points included. */
const INVISIBLE = /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}\u2800]/gu;

/** Characters that control a terminal or reorder text. Names must not contain them. */
export const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** For texts of the DNS and services, as in `v=spf1[U+00A0]-all`. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `[U+${code.padStart(4, '0')}]`;
  });
}

/** JSON (from `JSON.stringify`) with invisible characters escaped, as in `"v=spf1\u00a0-all"`. */
export function escapeInvisibleInJson(json: string): string {
  return json.replaceAll(INVISIBLE, (char) =>
    // A character beyond U+FFFF takes two escapes.
    Array.from({ length: char.length }, (_, at) => escapeUnit(char.charCodeAt(at))).join(''),
  );
}

/** A part of a text: one hidden character, or a run of others. */
type TextPiece = { text: string; isHidden: boolean };

const EMOJI = String.raw`\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?`;
/** Scripts in which joiners (U+200C, U+200D) are part of the spelling. */
const JOINING = 'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('');
/** Invisible characters that are legitimate: in emoji, flags and keycaps, and in the spelling of some scripts. */
const MEANT = [
  String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]{3,6}\u{e007f}`,
  String.raw`${EMOJI}(?:\u200d${EMOJI})*`,
  String.raw`[#*\d]\ufe0f\u20e3`,
  String.raw`[\u200c\u200d](?<=[${JOINING}]\p{M}*[\u200c\u200d])(?=[${JOINING}])`,
  // After a virama, also at the end of a word.
  String.raw`[\u200c\u200d](?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca].)`,
  String.raw`[\u{e0100}-\u{e01ef}\ufe00-\ufe02](?<=\p{Script=Han}.)`,
  String.raw`[\u180b-\u180d\u180f](?<=\p{Script=Mongolian}.)`,
  // Format characters that are visible around digits.
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`,
  String.raw`[\n\t\p{Zs}]|\r\n`,
].join('|');
const MEANT_OR_HIDDEN = new RegExp(`${MEANT}|(?<hidden>${INVISIBLE.source})`, 'gu');

const PLAIN = /^[\n\t -~]+$/;

/** For texts of people. Unlike `escapeInvisible`, it accepts what belongs to a script or an emoji. */
export function splitHidden(text: string): TextPiece[] {
  // Most texts. The expression below takes six times as long.
  if (PLAIN.test(text)) return [{ text, isHidden: false }];
  const pieces: TextPiece[] = [];
  let start = 0;
  for (const { index, groups } of text.matchAll(MEANT_OR_HIDDEN)) {
    const hidden = groups?.['hidden'];
    if (hidden === undefined) continue;
    if (index > start) pieces.push({ text: text.slice(start, index), isHidden: false });
    pieces.push({ text: hidden, isHidden: true });
    start = index + hidden.length;
  }
  if (start < text.length) pieces.push({ text: text.slice(start), isHidden: false });
  return pieces;
}

export function escapeHidden(text: string): string {
  return splitHidden(text)
    .map((piece) => (piece.isHidden ? escapeInvisible(piece.text) : piece.text))
    .join('');
}

export function hasVisibleText(text: string): boolean {
  return splitHidden(text).some((piece) => !piece.isHidden && piece.text.trim() !== '');
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
