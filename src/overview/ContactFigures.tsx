import type { ReadableOverview } from '#contract/overview.ts';
import { paths } from '../url/paths.ts';
import { Figures } from './Figures.tsx';

/** Contacts by subscription. */
export function ContactFigures({ contacts }: { contacts: ReadableOverview['contacts'] | undefined }) {
  const { total, subscribed } = contacts ?? {};
  const unsubscribed = total === undefined || subscribed === undefined ? undefined : total - subscribed;
  return (
    <Figures
      id="contacts"
      title="Contacts"
      total={total}
      figures={[
        { label: 'Subscribed', count: subscribed, to: `${paths.contacts}?subscribed=true` },
        { label: 'Unsubscribed', count: unsubscribed, to: `${paths.contacts}?subscribed=false` },
        { label: 'All', count: total, to: paths.contacts },
      ]}
    />
  );
}
