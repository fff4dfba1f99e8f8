/** The word for `key`; `key` itself where there is none. A service may say "constructor", which every object has. */
export const wordOf = (words: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(words, key) ? (words[key] ?? key) : key;
