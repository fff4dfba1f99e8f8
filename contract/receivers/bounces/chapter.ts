import type { MailSystemId } from './mailSystems.ts';
import type { ReasonId } from './reasons.ts';

// What replies mean, as facts from the pages named: codes and short literal texts, in lower case. The sentences are ours.

/** `code`: reply code, enhanced status code, or both; empty for any. `token`: empty for any text. */
type Row = readonly [code: string, token: string, reason: ReasonId];

export type Chapter = {
  /** Empty: any. */
  systems: readonly MailSystemId[];
  /** The day of the page that was read; null if it has none. */
  asOf: string | null;
  source: string;
  /** The first that fits counts. */
  rows: readonly Row[];
};
