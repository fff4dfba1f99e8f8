const SIMILAR_MAX = 5;
/** Letters at the beginning of a word. */
const COMMON_MIN = 4;

/** Names with a word that begins like one of `asked`, in any letter case, most in common first: `email_complained` for `complaint`. */
export function findSimilarNames(names: readonly string[], asked: string): string[] {
  const words = wordsOf(asked);
  const scored = names.map((name) => {
    const common = wordsOf(name).flatMap((word) => words.map((own) => countCommon(word, own)));
    return { name, score: Math.max(0, ...common) };
  });
  return scored
    .filter(({ score }) => score >= COMMON_MIN)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, SIMILAR_MAX)
    .map(({ name }) => name);
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);

function countCommon(one: string, other: string): number {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  return common;
}
