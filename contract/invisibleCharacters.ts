/**
 * What is not seen, or changes the place of what is: control and format characters, blanks other than the usual one, ends
 * of lines, fillers, variation selectors, tags, halves of pairs, and code points that are no characters that all know.
 */
const INVISIBLE = /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}\u2800]/gu;

/** `text` of somebody else with everything invisible in it named, as in `v=spf1[U+00A0]-all`. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `[U+${code.padStart(4, '0')}]`;
  });
}

/** JSON, as `JSON.stringify` gives it, of the same value, with everything invisible in it escaped as in `"v=spf1\u00a0-all"`. */
export function escapeInvisibleInJson(json: string): string {
  return json.replaceAll(INVISIBLE, (char) =>
    // By index: a character beyond the first plane takes two escapes.
    Array.from({ length: char.length }, (_, at) => escapeUnit(char.charCodeAt(at))).join(''),
  );
}

/** A part of a text of people: what hides is one character, the others are together. */
export type TextPiece = { text: string; isHidden: boolean };

const EMOJI = String.raw`\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?`;
/** Scripts in which letters join, and a mark says where they do not, or do. */
const JOINING = 'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('');
/** What is unseen and yet belongs to what is seen: in emoji, flags and keycaps, and in the letters of some scripts. */
const MEANT = [
  String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]{3,6}\u{e007f}`,
  String.raw`${EMOJI}(?:\u200d${EMOJI})*`,
  String.raw`[#*\d]\ufe0f\u20e3`,
  String.raw`[\u200c\u200d](?<=[${JOINING}]\p{M}*[\u200c\u200d])(?=[${JOINING}])`,
  // Behind a sign that takes the vowel away, also at the end of a word.
  String.raw`[\u200c\u200d](?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca].)`,
  String.raw`[\u{e0100}-\u{e01ef}\ufe00-\ufe02](?<=\p{Script=Han}.)`,
  String.raw`[\u180b-\u180d\u180f](?<=\p{Script=Mongolian}.)`,
  // Signs that are seen around digits, although they are format characters.
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`,
  String.raw`[\n\t\p{Zs}]|\r\n`,
].join('|');
const MEANT_OR_HIDDEN = new RegExp(`${MEANT}|(?<hidden>${INVISIBLE.source})`, 'gu');

/** Text of people in pieces, in their order. Unlike `visible` it leaves alone what belongs to a script or an emoji. */
export function splitHidden(text: string): TextPiece[] {
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

/** The same as one text, in which what hides is named as `visible` names it. */
export function escapeHidden(text: string): string {
  return splitHidden(text)
    .map((piece) => (piece.isHidden ? escapeInvisible(piece.text) : piece.text))
    .join('');
}

/** Whether there is anything in it to see. */
export function hasVisibleText(text: string): boolean {
  return splitHidden(text).some((piece) => !piece.isHidden && piece.text.trim() !== '');
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
