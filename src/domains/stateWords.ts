import type { Tone } from '../ui/values/StatusBadge.tsx';

/** The tones of the known words. The interface does not list them all: any other word is shown as it is, in neutral. */
const TONES = new Map<string | null, Tone>([
  ['pending', 'wait'],
  ['completed', 'good'],
  ['failed', 'bad'],
]);

export const isKnownWord = (word: string) => TONES.has(word);

export const toneOf = (word: string | null): Tone => TONES.get(word) ?? 'neutral';
