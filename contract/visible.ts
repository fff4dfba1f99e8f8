/**
 * What is not seen, or changes the place of what is: control and format characters, blanks other than the usual one, ends
 * of lines, fillers, variation selectors, tags, halves of pairs, and code points that are no characters that all know.
 */
const INVISIBLE = /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}\u2800]/gu;

/** `text` of somebody else with everything invisible in it named, as in `v=spf1[U+00A0]-all`. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `[U+${code.padStart(4, '0')}]`;
  });
}

/** JSON, as `JSON.stringify` gives it, of the same value, with everything invisible in it escaped as in `"v=spf1\u00a0-all"`. */
export function visibleJson(json: string): string {
  return json.replaceAll(INVISIBLE, (char) =>
    // By index: a character beyond the first plane takes two escapes.
    Array.from({ length: char.length }, (_, at) => escapeUnit(char.charCodeAt(at))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
