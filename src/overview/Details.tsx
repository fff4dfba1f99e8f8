import type { ReadableOverview } from '#contract/overview.ts';
import { LastChanges } from './LastChanges.tsx';
import { Unsubscribes } from './Unsubscribes.tsx';

/** What comes after the figures. */
export function Details({ overview, visit }: { overview: ReadableOverview; visit: string | null }) {
  'use no memo'; // It renders rarely, and the first page has to be small.
  return (
    <>
      <Unsubscribes unsubscribes={overview.unsubscribes} today={overview.today} />
      <LastChanges overview={overview} visit={visit} />
    </>
  );
}
