import { foldHeading } from '#contract/words/foldText.ts';
import { readRemarks } from '#contract/words/dateWords.ts';
import { describeComment } from './piece.ts';
import type { Table } from './parseTable.ts';
import { isKnownComment } from './requests.ts';
import type { AskedColumn, StateColumn } from './stateColumns.ts';

const LOWER_WORD = /^\p{Ll}[\p{L}\p{M}'’]*[.,;!?]*$/u;
const WORDS_MAX = 50;
/** Three words, two of them in lower case, as names rarely have. */
function isSentence(cell: string): boolean {
  const words = cell.split(/\s+/, WORDS_MAX);
  return words.length > 2 && words.filter((word) => LOWER_WORD.test(word)).length > 1;
}
const CELL_MAX = 1000;
/** A longer remark isn't looked at. */
const KNOWN_MAX = 100;

const isKnown = (cell: string) => cell.length <= KNOWN_MAX && isKnownComment(cell);

type RemarkedTable = {
  table: Table;
  states: readonly StateColumn[];
  asked: readonly AskedColumn[];
  column: number | null;
};

/** Why a row is left out because of what somebody remarked in it; null if that's known to say no more than the list. */
export function findRemarks({
  table,
  states,
  asked,
  column,
}: RemarkedTable): (row: readonly string[]) => string | null {
  const read = new Set([column, ...[...states, ...asked].map(({ index }) => index)]);
  const remarked = table.headings.flatMap((heading, index) => {
    const form = readRemarks(table.hasHeadings ? foldHeading(heading) : '');
    return read.has(index) || form === 'none' ? [] : { index, heading, isAny: form === 'all' };
  });
  return (row) => {
    for (const { index, heading, isAny } of remarked) {
      const cell = (row[index] ?? '').slice(0, CELL_MAX).trim();
      if (cell !== '' && (isAny || isSentence(cell)) && !isKnown(cell)) return describeComment(heading, cell);
    }
    return null;
  };
}
