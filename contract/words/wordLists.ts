import { foldText } from './foldText.ts';

// By language, folded. `word*` matches a prefix, `*word*` a part: German and Dutch join words.

export type Words = Readonly<
  Record<'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl', string> &
    Partial<Record<'ja' | 'zh' | 'ko' | 'others', string>>
>;

/** `*`. Bounded: between two of them time would be quadratic. */
const REST = String.raw`\p{L}{0,40}`;

/** For folded texts. `ending` replaces the `*` after a word. */
export function anyWord(words: Words, ending = REST): string {
  const all = Object.values(words)
    .flatMap((list) => foldText(list).split(', '))
    .map((word) => word.replaceAll(/[ -]/g, '[\\s_.-]?').replace(/^\*/, '§').replace(/\*$/, ending).replace('§', REST));
  return `(?:${[...new Set(all)].join('|')})`;
}
