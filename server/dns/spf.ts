import { foldCase } from './names.ts';

// SPF records (RFC 7208) as words: a word of one is a mechanism with its qualifier, or a modifier.

export function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text);
}

/** The words after the version. */
export function spfWords(text: string): string[] {
  return text.trim().split(/\s+/).slice(1);
}

function isAll(word: string): boolean {
  return /^[+\-~?]?all$/i.test(word);
}

/** The words of `wanted` that `found` does not hold where they count, before its `all`. */
export function missingWords(wanted: string, found: string): string[] {
  const all = spfWords(found).findIndex(isAll);
  const counting = new Set((all === -1 ? spfWords(found) : spfWords(found).slice(0, all)).map(fold));
  return spfWords(wanted).filter((word) => !isAll(word) && !counting.has(fold(word)));
}

const fold = (word: string) => foldCase(word).replace(/^\+/, '');

/** Whether everybody may send, or nothing is said about those who are not named. */
export function spfEnd(text: string): 'everybody' | 'nothing' | 'said' {
  const end = spfWords(text).find((word) => isAll(word) || /^redirect=/i.test(word));
  if (end === undefined) return 'nothing';
  return /^\+?all$/i.test(end) ? 'everybody' : 'said';
}

/** One record in place of several: the words of all, each once, and the `all` of the first that has one. */
export function mergeSpf(texts: readonly string[]): string {
  const all = texts.flatMap(spfWords);
  return ['v=spf1', ...new Set(all.filter((word) => !isAll(word))), all.find(isAll) ?? '~all'].join(' ');
}
