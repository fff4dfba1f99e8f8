import type { ResourceRecord, RecordType } from './message.ts';

/** What the DNS says of a name and a type. */
export type Resolution = {
  name: string;
  type: RecordType;
  /** The records of that type, also at the end of aliases; null when nobody could tell. */
  records: readonly ResourceRecord[] | null;
  /** Whether the name, or the one that its aliases lead to, does not exist at all. */
  isNxdomain: boolean;
  /** Why nobody could tell, as the end of a sentence; empty where somebody could. */
  reason: string;
};

/** Never fails: what could not be asked is a resolution without records. The same question is asked only once in a run. */
export type LookUp = (name: string, type: RecordType) => Promise<Resolution>;
