/** A text to compare: without letter case, accents and repeated blanks. */
export const foldText = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim().replaceAll(/\s+/g, ' ');

/** In characters. */
const HEADING_MAX = 100;

/** Folded, the words of `customerId` apart, without surrounding punctuation. */
export const foldHeading = (heading: string): string =>
  foldText(heading.slice(0, HEADING_MAX).replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')).replaceAll(
    /^[^\p{L}\p{N}#]+|(?<=[\p{L}\p{N}#])[^\p{L}\p{N}#]+$/gu,
    '',
  );
