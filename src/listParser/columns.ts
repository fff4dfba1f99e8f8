import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { foldHeading } from '#contract/words/foldText.ts';
import { isIdName } from '../identity/customIds.ts';
import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import { type HeadingMeaning, PARTIES, readHeading } from './headings.ts';
import { identityKind, type IdentityKind } from './identityKind.ts';
import { isBlankRow, type Table } from './parseTable.ts';
import { mapWithPauses } from './pause.ts';
import { isEmptyValue } from './piece.ts';
import { saysStay } from '#contract/words/stateWords.ts';

export type ColumnSummary = {
  index: number;
  heading: string;
  /** Different cells with an identity. */
  samples: string[];
  /** Different cells with an identity. */
  distinct: number;
  empty: number;
  /** Cells with text but no identity. */
  unreadable: number;
  /** Null if cells and heading don't say. */
  kind: 'email' | 'ownId' | 'uuid' | 'phone' | null;
  meaning: HeadingMeaning;
};

/** `isUndecided`: ask. */
type ColumnPick = { column: number | null; isUndecided: boolean };

const SAMPLES = 3;
const SAMPLE_MAX = 60;
const KINDS = ['email', 'ownId', 'uuid', 'phone'] as const;

const OF_MESSAGES = new RegExp(String.raw`${PARTIES}|\bbody\b`, 'i');
const OF_RECIPIENT = /^(?:to|cc|bcc|an|para|aan)(?!\p{L})/u;

export async function summarizeColumns(
  { headings, hasHeadings, rows }: Table,
  identityField: IdentityField,
): Promise<ColumnSummary[]> {
  const filled = rows.filter((row) => !isBlankRow(row));
  const columns: ColumnSummary[] = [];
  for (const [index, heading] of headings.entries()) {
    const counts = new Map<string, number>();
    await mapWithPauses(filled, (row) => {
      const cell = unescapeFormulas(row[index] ?? '').trim();
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
    });
    const column = await summarize(counts, hasHeadings ? heading : '', identityField);
    if (column.distinct > 0) columns.push({ index, heading, ...column });
  }
  return columns;
}

type Counts = ReadonlyMap<string, number>;

/** `heading` is empty if the table has none. */
async function summarize(
  counts: Counts,
  heading: string,
  identityField: IdentityField,
): Promise<Omit<ColumnSummary, 'index' | 'heading'>> {
  const kinds = new Map<IdentityKind, number>();
  const samples: string[] = [];
  let [distinct, empty, unreadable] = [0, 0, 0];
  const isOwnId = isIdName(heading, identityField);
  await mapWithPauses(counts, ([cell, count]) => {
    const kind = identityKind(cell) ?? (isOwnId && !/\s/.test(cell) ? 'word' : null);
    if (isEmptyValue(cell)) empty += count;
    else if (kind === null) unreadable += count;
    else {
      distinct += 1;
      kinds.set(kind, (kinds.get(kind) ?? 0) + count);
      if (samples.length < SAMPLES) samples.push(cell.slice(0, SAMPLE_MAX));
    }
  });
  const [[most, cells] = [null, 0]] = [...kinds].toSorted(([, one], [, other]) => other - one);
  const meaning = readHeading(heading, most, identityField);
  const isMost = cells > unreadable;
  return { samples, distinct, empty, unreadable, kind: isMost ? kindOf(most, meaning) : null, meaning };
}

function kindOf(most: IdentityKind | null, meaning: HeadingMeaning): ColumnSummary['kind'] {
  if (meaning.isOther) return null;
  if (most === 'email' || most === 'uuid' || most === 'phone') return most;
  if (meaning.isOwnId) return 'ownId';
  return most === 'number' && meaning.isSure ? 'phone' : null;
}

/** Not an owner or an agent. */
export const canName = ({ kind, meaning }: ColumnSummary): boolean => kind !== null && !meaning.isOfOthers;

/**
 * The column that names the person. It's certain if it's the only one of the most certain kind, or the only one whose heading says so.
 * Never certain: a nested key (`owner.email`), a column of people to keep, a table of messages.
 */
export function pickColumn(columns: readonly ColumnSummary[], headings: readonly string[]): ColumnPick {
  const [any] = columns;
  if (any === undefined) return { column: null, isUndecided: false };
  const able = columns.filter((column) => canName(column) && !/\w\.\w/.test(column.heading));
  const rows = Math.max(...columns.map(({ empty, unreadable, distinct }) => empty + unreadable + distinct));
  const full = able.filter(({ empty }) => empty < rows / 2);
  const candidates = full.length > 0 ? full : able;
  const kind = KINDS.find((each) => candidates.some((column) => column.kind === each));
  const ofKind = candidates.filter((column) => column.kind === kind);
  const firsts = ofKind.filter(({ meaning }) => !meaning.isSecond);
  const sure = firsts.filter(({ meaning }) => meaning.isSure);
  const [best, ...rivals] = [sure, firsts, ofKind].find((each) => each.length > 0) ?? [];
  const isMessages = headings.some((heading) => OF_MESSAGES.test(heading));
  if (best !== undefined) {
    const name = foldHeading(best.heading);
    return {
      column: best.index,
      isUndecided: rivals.length > 0 || isMessages || saysStay(name) || OF_RECIPIENT.test(name),
    };
  }
  const guess = columns.find(canName) ?? columns.find((column) => column.kind !== null) ?? any;
  return { column: guess.index, isUndecided: true };
}
