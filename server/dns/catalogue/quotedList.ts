const LISTED_MAX = 10;

/** Formats `"a", "b" and 3 more`. A text with quotation marks of its own is not quoted. */
export function quotedList(words: readonly string[]): string {
  return formatList(words.map((word) => (/^".*"$/s.test(word) ? word : `"${word}"`)));
}

/** Items that are listed in a sentence. */
export function formatList(words: readonly string[], separator = ', '): string {
  const some = words.slice(0, LISTED_MAX).join(separator);
  return words.length > LISTED_MAX ? `${some} and ${words.length - LISTED_MAX} more` : some;
}
