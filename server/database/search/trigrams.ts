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
  // There is at most one for each UTF-16 unit. They are sorted as numbers of 32 bits, which is faster than a set.
  const keys = new Int32Array(text.length);
  let count = 0;
  let [first, second] = [-1, -1];
  for (let at = 0; at < text.length; at++) {
    const third = text.codePointAt(at) ?? 0;
    if (third > UNIT_MAX) at++;
    if (isSpace(third)) {
      [first, second] = [-1, -1];
      continue;
    }
    if (first !== -1) keys[count++] = mix(mix(mix(seed, first), second), third);
    [first, second] = [second, third];
  }
  const unique: number[] = [];
  for (const key of keys.subarray(0, count).toSorted()) if (key !== unique.at(-1)) unique.push(key);
  return unique;
}

/** The last character that takes one UTF-16 unit. */
const UNIT_MAX = 0xffff;
const ASCII_MAX = 0x7f;

/** Whether `\s` matches the character. */
function isSpace(point: number): boolean {
  if (point <= ASCII_MAX) return point === 0x20 || (point >= 0x09 && point <= 0x0d);
  return /\s/.test(String.fromCodePoint(point));
}

export function hashText(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at));
  return hash;
}

/** A step of a hash of 32 bits. */
export function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) | 0;
}
