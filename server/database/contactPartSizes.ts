// How the orders of the list of contacts are divided (contactParts.ts).

/** Parts of contacts, and parts of such parts. */
export const PART_LEVELS = [0, 1] as const;
export type PartLevel = (typeof PART_LEVELS)[number];

/** In contacts. */
export const PART_SIZES: {
  /** A part with more is split. One of the second level is some hundred parts, so that neither level has many to read. */
  max: Readonly<Record<PartLevel, number>>;
  /** A part with fewer is joined with the one before it. */
  min: Readonly<Record<PartLevel, number>>;
  /** Skipping so many entries of an index takes less time than reading counters. */
  skipped: number;
  /** So many entries of an index are read for those of one subscription, until counters tell where the next one is. More than of two parts. */
  walked: number;
} = { max: { 0: 1_000, 1: 100_000 }, min: { 0: 125, 1: 12_500 }, skipped: 150, walked: 3_000 };
