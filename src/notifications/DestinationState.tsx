import type { Destination } from '#contract/notifications.ts';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';

export function DestinationState({ destination: { disabled_at, waiting } }: { destination: Destination }) {
  if (disabled_at !== null) return <StatusBadge tone="bad">Off</StatusBadge>;
  return waiting > 0 ? <StatusBadge tone="wait">Waiting</StatusBadge> : <StatusBadge tone="good">On</StatusBadge>;
}
