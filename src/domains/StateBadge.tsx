import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { toneOf } from './stateWords.ts';

/** A word of the service about a state; the interface does not list them all. */
export function StateBadge({ word }: { word: string | null }) {
  return <StatusBadge tone={toneOf(word)}>{word ?? 'not sent'}</StatusBadge>;
}
