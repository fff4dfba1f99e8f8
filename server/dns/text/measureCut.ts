const STRING_MAX = 255;
const END_SHOWN = 12;

/** Facts about `text`, with which `whole` begins. `value` is what has to be entered. */
export function measureCut(
  text: string,
  whole: string,
  value = whole,
): { kept: number; of: number; end: string; strings: number } {
  const strings = Math.ceil(Buffer.byteLength(value) / STRING_MAX);
  return { kept: text.length, of: whole.length, end: text.slice(-END_SHOWN), strings };
}

/** Characters in a row that do not come twice in a key by chance. */
const RUN = 12;
const PIECES_MAX = 8;

/** Whether `text` has the strings of `whole` in another order. */
export function isRearranged(text: string, whole: string): boolean {
  if (text === whole || text.length < STRING_MAX || text.length !== whole.length) return false;
  if ([...text].toSorted().join('') !== [...whole].toSorted().join('')) return false;
  const known = new Set(runsOf(whole));
  // Only the runs across the end of a string are new.
  return runsOf(text).filter((run) => !known.has(run)).length < PIECES_MAX * (RUN - 1);
}

function runsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - RUN + 1) }, (_, at) => text.slice(at, at + RUN));
}
