import { StatusBadge } from '../../ui/values/StatusBadge.tsx';

export function Subscription({ subscribed }: { subscribed: boolean }) {
  return subscribed ? (
    <StatusBadge tone="good">Subscribed</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">Unsubscribed</StatusBadge>
  );
}
