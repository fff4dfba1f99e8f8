import { STRING_MAX } from '#contract/values/characterStrings.ts';

const END_SHOWN = 12;

/** Matching characters on both sides of a gap; with fewer it may be another text. */
const BESIDE_MIN = 12;

export type CutFacts = {
  before: number;
  missing: number;
  of: number;
  shown: string;
  strings: number;
};

/** Where `text` lacks one part of `whole`; null when it is not `whole` without one. `value` is what has to be entered. */
export function measureCut(text: string, whole: string, value = whole): CutFacts | null {
  if (text === '' || text.length >= whole.length) return null;
  const before = findGap(text, whole);
  if (before === null) return null;
  return {
    before,
    missing: whole.length - text.length,
    of: whole.length,
    shown: before === 0 ? text.slice(0, END_SHOWN) : text.slice(0, before).slice(-END_SHOWN),
    strings: Math.ceil(Buffer.byteLength(value) / STRING_MAX),
  };
}

function findGap(text: string, whole: string): number | null {
  if (whole.startsWith(text)) return text.length;
  if (whole.endsWith(text)) return 0;
  let same = 0;
  while (text.charAt(same) === whole.charAt(same)) same++;
  const after = text.length - same;
  return same >= BESIDE_MIN && after >= BESIDE_MIN && whole.endsWith(text.slice(same)) ? same : null;
}

/** Characters in a row that do not come twice in a key by chance. */
const RUN = 12;
const PIECES_MAX = 8;

export function isRearranged(text: string, whole: string): boolean {
  if (text === whole || text.length < STRING_MAX || text.length !== whole.length) return false;
  const [sorted, all] = [text, whole].map((one) => Array.from(one).toSorted().join(''));
  if (sorted !== all) return false;
  const known = new Set(runsOf(whole));
  // Only the runs across the end of a string are new.
  return runsOf(text).filter((run) => !known.has(run)).length < PIECES_MAX * (RUN - 1);
}

function runsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - RUN + 1) }, (_, at) => text.slice(at, at + RUN));
}

/** The text from where a record begins inside it, and then the part before: its strings were swapped. Null without one. */
export function turnToBeginning(text: string, beginning: RegExp): string | null {
  const at = text.search(beginning);
  return at <= 0 ? null : text.slice(at) + text.slice(0, at);
}
