export type DiffPart = { text: string; differs: boolean };

/** Cells of the comparison's table. Longer values match only in a common beginning and end. */
const CELLS_MAX = 250_000;
/** Fewer equal characters between two differences count as different. */
const RUN_MIN = 3;

/** Letter case and a final dot don't matter to these. */
const NAMES = new Set(['A', 'AAAA', 'CNAME', 'MX', 'NS']);

export function normalizeValue(type: string, value: string): string {
  return NAMES.has(type.toUpperCase()) ? value.toLowerCase().replace(/\.$/, '') : value;
}

/** Where two values of a record of this type differ. The parts' texts, joined, are the values. */
export function diffValues(type: string, expected: string, found: string): { expected: DiffPart[]; found: DiffPart[] } {
  const [one, other] = [lettersOf(type, expected), lettersOf(type, found)];
  const [inOne, inOther] = findDifferences(one.folded, other.folded);
  return { expected: partsOf(one.letters, inOne), found: partsOf(other.letters, inOther) };
}

export function closestTo(type: string, expected: string, values: readonly string[]): number {
  const distances = values.map((value) => differingLetters(diffValues(type, expected, value)));
  return distances.indexOf(Math.min(...distances));
}

function differingLetters(diff: { expected: DiffPart[]; found: DiffPart[] }): number {
  const count = (parts: DiffPart[]) => parts.reduce((sum, { text, differs }) => sum + (differs ? text.length : 0), 0);
  return count(diff.expected) + count(diff.found);
}

function lettersOf(type: string, value: string): { letters: string[]; folded: string[] } {
  const letters = Array.from(value);
  if (!NAMES.has(type.toUpperCase())) return { letters, folded: letters };
  const folds = letters.map((letter) => letter.toLowerCase());
  return { letters, folded: folds.at(-1) === '.' ? folds.slice(0, -1) : folds };
}

function findDifferences(one: readonly string[], other: readonly string[]): [Set<number>, Set<number>] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const middles = [one.slice(start, one.length - end), other.slice(start, other.length - end)] as const;
  const kept = commonLetters(...middles);
  const rest = (length: number, equal: Set<number>) =>
    new Set(
      Array.from({ length }, (_, place) => place)
        .filter((place) => !equal.has(place))
        .map((p) => p + start),
    );
  return [
    rest(middles[0].length, new Set(kept.map(([place]) => place))),
    rest(middles[1].length, new Set(kept.map(([, place]) => place))),
  ];
}

/** A longest common subsequence as pairs of indices, without runs shorter than `RUN_MIN`. */
function commonLetters(one: readonly string[], other: readonly string[]): [number, number][] {
  const width = other.length + 1;
  if (one.length * other.length > CELLS_MAX) return [];
  const longest = new Uint16Array((one.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      longest[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const runs: [number, number][][] = [];
  let wasEqual = false;
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const isEqual = one[i] === other[j];
    if (isEqual && !wasEqual) runs.push([]);
    wasEqual = isEqual;
    if (isEqual) runs.at(-1)?.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return runs.filter((run) => run.length >= RUN_MIN).flat();
}

function partsOf(letters: readonly string[], differing: ReadonlySet<number>): DiffPart[] {
  const parts: DiffPart[] = [];
  for (const [place, letter] of letters.entries()) {
    const differs = differing.has(place);
    const last = parts.at(-1);
    if (last?.differs === differs) last.text += letter;
    else parts.push({ text: letter, differs });
  }
  return parts;
}
