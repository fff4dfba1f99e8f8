import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import type { RecordChange } from './recordChanges.ts';
import { isSameRecord, type RecordData } from './recordData.ts';

export type FileFormat = {
  /** Begins a line of comment. */
  comment: string;
  /** How to use the file. */
  usage: readonly string[];
  /** Why a change can't be in such a file, as a sentence; null if it can. */
  refuse: (change: RecordChange, all: readonly RecordChange[]) => string | null;
  /** Whether it can delete a record at another name than the new one. */
  deletes?: true;
  /** Lines for changes that the format doesn't refuse. */
  write: (changes: readonly RecordChange[]) => string[];
};

/** All records with one name and type, as formats with sets have them. */
export type RecordSet = {
  zone: string;
  name: string;
  type: string;
  ttl: number;
  before: readonly RecordData[];
  after: readonly RecordData[];
  todos: readonly string[];
};

export const NO_ZONE = "Its zone isn't known.";

export function groupByZone(changes: readonly RecordChange[]): Map<string, RecordChange[]> {
  return Map.groupBy(changes, ({ zone }) => zone ?? '');
}

/** What each changed set has before and after. */
export function toRecordSets(changes: readonly RecordChange[]): RecordSet[] {
  const groups = Map.groupBy(changes, ({ record: { name, type } }) => `${name} ${type}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { record, zone, ttl, published } = first;
    const isRemoved = (one: RecordData) =>
      group.some(({ removed }) => removed.some((other) => isSameRecord(one, other)));
    const kept = published.filter((one) => !isRemoved(one));
    const added = group.map((one) => one.record).filter((one) => !kept.some((other) => isSameRecord(one, other)));
    const { name, type } = record;
    return {
      zone: zone ?? '',
      name,
      type,
      ttl,
      before: published,
      after: [...kept, ...added],
      todos: group.map(({ todo }) => todo),
    };
  });
}

/** One line of comment for each text. Foreign texts can't end it. */
export function asComments(prefix: string, texts: readonly string[]): string[] {
  return texts.map((text) => `${prefix} ${escapeInvisible(text)}`);
}
