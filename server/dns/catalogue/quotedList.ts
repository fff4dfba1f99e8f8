const LISTED_MAX = 10;

/** `"a", "b" and 3 more`; what has quotation marks of its own gets no others. */
export function quotedList(words: readonly string[]): string {
  return formatList(words.map((word) => (/^".*"$/s.test(word) ? word : `"${word}"`)));
}

/** What a sentence can hold of a list. */
export function formatList(words: readonly string[], separator = ', '): string {
  const some = words.slice(0, LISTED_MAX).join(separator);
  return words.length > LISTED_MAX ? `${some} and ${words.length - LISTED_MAX} more` : some;
}
