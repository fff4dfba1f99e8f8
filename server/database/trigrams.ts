/** Characters in a row that the search index has. A shorter word is found by a scan. */
export const TRIGRAM = 3;

/** Whether the search index can find `word`: a run of its characters without a space is long enough. */
export function hasTrigram(word: string): boolean {
  return word.split(/\s/).some((part) => part.length >= TRIGRAM && Array.from(part).length >= TRIGRAM);
}

/**
 * A number for each three characters in a row of `text` that have no space among them, in ascending order, each once. The same three
 * have another number in another workspace. Two different ones rarely have the same number.
 */
export function trigramKeys(workspaceId: number, text: string): number[] {
  const seed = Math.imul(workspaceId, 0x9e3779b1);
  const keys = new Set<number>();
  for (const part of text.split(/\s/)) {
    const points = Array.from(part, (character) => character.codePointAt(0) ?? 0);
    let [first = 0, second = 0] = points;
    for (const third of points.slice(2)) {
      keys.add(mix(mix(mix(seed, first), second), third));
      [first, second] = [second, third];
    }
  }
  return Array.from(keys).toSorted((one, other) => one - other);
}

/** A step of a hash of 32 bits. */
function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) | 0;
}
