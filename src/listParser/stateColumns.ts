import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { foldText } from '../identity/foldText.ts';
import { foldHeading } from '../identity/customIds.ts';
import { isOfOtherNumbers } from './headings.ts';
import type { Table } from './parseTable.ts';
import { mapWithPauses } from './pause.ts';
import { isEmptyValue } from './piece.ts';
import {
  isDoubleOptIn,
  isForeignAnswer,
  isForeignScript,
  isOfOtherState,
  isStatusHeading,
  isSureStatus,
  saysEvent,
  saysIn,
  saysKeep,
  saysNo,
  saysOut,
  saysStay,
  saysYes,
  sideOf,
} from './stateWords.ts';

/** A column that says who is unsubscribed. `isOpposite`: the cell may say that someone isn't. */
export type StateColumn = { index: number; heading: string; isOpposite: (cell: string) => boolean };

export const describeOpposite = (heading: string, cell: string): string =>
  cell.trim() === '' ? `“${heading}” is empty` : `“${heading}” says “${cell.trim()}”`;
export const isOfState = (leftOut: string): boolean => leftOut.startsWith('“');

/** `null`: any other text. */
type Says = 'out' | 'in' | 'keep' | 'yes' | 'no' | 'date' | 'empty' | null;

const STATES_MAX = 20;
const FOREIGN_MAX = 3;
const HEADING_MAX = 60;
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[t ,].*)?$|(?<!\d)(?:19|20)\d\d(?!\d)|^\d{8,}(?:\.\d+)?$/;

/** RFC 3463: `5` is permanent. */
const MAIL_STATUS = /^([245])\.\d{1,3}\.\d{1,3}(?!\d)/;

function readState(cell: string, isStatus: boolean): Says {
  const text = foldText(unescapeFormulas(cell).slice(0, 200));
  if (saysYes.test(text)) return 'yes';
  if (saysNo.test(text)) return 'no';
  if (isEmptyValue(text)) return 'empty';
  if (saysOut.test(text)) return 'out';
  const code = isStatus ? MAIL_STATUS.exec(text)?.[1] : undefined;
  if (code !== undefined) return code === '5' ? 'out' : 'in';
  if (saysIn.test(text) || (isStatus && saysEvent.test(text))) return 'in';
  if (saysKeep.test(text)) return 'keep';
  return DATE.test(text) ? 'date' : null;
}

/** The columns that say who is unsubscribed, else those that may. */
export async function findStateColumns(table: Table): Promise<StateColumn[]> {
  const columns = await findColumns(table, findOpposites);
  return columns.length > 0 ? columns : findColumns(table, findPossible);
}

async function findColumns({ headings, hasHeadings, rows }: Table, find: typeof findPossible): Promise<StateColumn[]> {
  const columns: StateColumn[] = [];
  for (const [index, heading] of headings.entries()) {
    const name = hasHeadings ? foldHeading(heading) : '';
    const isStatus = isStatusHeading.test(name);
    const read = (cell: string) => readState(cell, isStatus);
    const texts = new Set(rows.map((row) => row[index] ?? ''));
    const cells = await mapWithPauses(texts, read);
    const isAnswer = cells.every((each) => each === 'yes' || each === 'no' || each === 'empty');
    const isForeign = isForeignScript(name) || (isAnswer && [...texts].some(isForeignAnswer));
    const opposites = new Set(find(name, cells, isForeign));
    if (cells.includes('keep')) opposites.add('keep');
    if (opposites.size > 0) columns.push({ index, heading, isOpposite: (cell) => opposites.has(read(cell)) });
  }
  return columns;
}

/** What means "not unsubscribed" in this column; empty if it's about something else. */
function findOpposites(name: string, cells: readonly Says[]): Says[] {
  if (isOfOtherState.test(name) || isDoubleOptIn.test(name) || name.length > HEADING_MAX) return [];
  const count = (...says: Says[]) => cells.filter((each) => says.includes(each)).length;
  const others = count(null);
  const isShort = others <= STATES_MAX;
  const isOfStates = count('in', 'out', 'yes', 'no') > 0 && isShort;
  const unknown: Says[] = isOfStates ? [null] : [];
  const side = sideOf(name);
  if (side === 'out') return isOfStates || count('date', 'empty') > 0 ? ['no', 'empty', 'in', ...unknown] : [];
  if (side === 'in' || saysStay(name)) return isOfStates ? ['yes', 'in', ...unknown] : [];
  // Without a heading, "yes" is ambiguous.
  if (name === '' && count('yes', 'no') > 0 && others + count('date') === 0) return ['yes', 'no', 'in', 'empty'];
  const named = count('in', 'out');
  if (named === 0 || !isShort) return [];
  if (isStatusHeading.test(name)) return ['in', 'yes', 'no', 'empty', null];
  return named >= others + count('yes', 'no', 'date') ? ['in', 'empty', null] : [];
}

/** An unreadable status, a column with few texts in an unknown language, and opt-in dates. */
function findPossible(name: string, cells: readonly Says[], isForeign: boolean): Says[] {
  const side = sideOf(name);
  // Without a reason or link of an unsubscribe.
  if (side === 'out' && cells.includes('empty')) return ['empty'];
  if (isOfOtherState.test(name)) return [];
  const isSure = isSureStatus.test(name) || isDoubleOptIn.test(name);
  const isStatus = isSure || (side === 'in' && cells.includes(null) && !isOfOtherNumbers.test(name));
  if (cells.length <= (isStatus ? STATES_MAX : isForeign ? FOREIGN_MAX : 0))
    return ['yes', 'no', 'in', 'empty', null, ...(isSure ? (['date'] as const) : [])];
  return saysStay(name) && cells.includes('date') && cells.includes('empty') ? ['date'] : [];
}
