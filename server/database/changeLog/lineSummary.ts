import type { Suppression } from '#contract/suppressions/suppression.ts';

/** What a line of the log says besides the changes. An erasure removes it. */
export type LineSummary = {
  reason: string | null;
  /** Of an unsubscribe; missing in any other line, and in older ones. */
  suppression?: Suppression;
  /** The first names of changed fields, and how many there are. */
  fields: string[];
  field_count: number;
  details: Readonly<Record<string, string | number>> | null;
};
