import { StatusBadge, type Tone } from '../ui/values/StatusBadge.tsx';

/** The interface doesn't list all words for a state: any other is shown as it is. */
const TONES = new Map<string | null, Tone>([
  ['pending', 'wait'],
  ['completed', 'good'],
  ['failed', 'bad'],
]);

export function StateBadge({ word }: { word: string | null }) {
  return <StatusBadge tone={TONES.get(word) ?? 'neutral'}>{word ?? 'not sent'}</StatusBadge>;
}
