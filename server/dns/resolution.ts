import type { ResourceRecord, RecordType } from './message.ts';

/** The result of a look-up of a name and type. */
export type Resolution = {
  name: string;
  type: RecordType;
  /** The records of the type, after following aliases; null when that failed. */
  records: readonly ResourceRecord[] | null;
  /** Whether the name, or the target of its aliases, does not exist. */
  isNxdomain: boolean;
  /** Why the look-up failed, as the end of a sentence; empty when it did not. */
  reason: string;
};

/**
 * Looks up a name. Never rejects: a failed query gives a result without records. Each query is sent only once in a run.
 */
export type LookUp = (name: string, type: RecordType) => Promise<Resolution>;
