import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { foldHeading, foldText } from '#contract/words/foldText.ts';
import { type AnswerText, areAnswers, countAnswer } from './answers.ts';
import {
  isDoubtfulHeading,
  isNotesHeading,
  isOfOtherDates,
  isOfSignUps,
  isReturnHeading,
  isSureDateHeading,
} from '#contract/words/dateWords.ts';
import { isOfOtherNumbers } from './headings.ts';
import { isBlankRow, type Table } from './parseTable.ts';
import { createPause, mapWithPauses } from './pause.ts';
import { isEmptyValue } from './piece.ts';
import {
  isDoubleOptIn,
  isForeignAnswer,
  isForeignScript,
  isOfOtherState,
  isStatusHeading,
  isSureHeading,
  isSureStatus,
  saysEvent,
  saysIn,
  saysKeep,
  saysNo,
  saysOut,
  saysStay,
  saysYes,
  sideOf,
} from '#contract/words/stateWords.ts';

/** A column that says who is unsubscribed. `isOpposite`: the cell may say that someone isn't. */
export type StateColumn = { index: number; heading: string; isOpposite: (cell: string) => boolean };
/** A column of yes and no, or of dates in some rows, whose heading doesn't say who is meant. */
export type AskedColumn = { index: number; heading: string };

export const describeOpposite = (heading: string, cell: string): string =>
  cell.trim() === '' ? `“${heading}” is empty` : `“${heading}” says “${cell.trim()}”`;
export const isOfState = (leftOut: string): boolean => leftOut.startsWith('“');

/** `null`: any other text. */
type Says = 'out' | 'in' | 'keep' | 'yes' | 'no' | 'date' | 'empty' | null;

const STATES_MAX = 20;
const FOREIGN_MAX = 3;
/** Different texts of a column of yes and no, or next to dates, at most. */
const ANSWERS_MAX = 20;
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

/** `states`: the columns that say who is unsubscribed, else those that may, and who came back. `asked`: only a person knows what they say. */
export async function findStateColumns(
  table: Table,
  except: number | null,
): Promise<{ states: StateColumn[]; asked: AskedColumn[] }> {
  const columns: ReadColumn[] = [];
  for (const index of table.headings.keys()) if (index !== except) columns.push(await readColumn(table, index));
  const isDecided = columns.some((column) => findSure(column).length > 0);
  const open = columns.filter((column) => isOpen(column, isDecided));
  // People who came back are asked about only if nothing else says who is unsubscribed.
  const others = open.filter(({ name }) => !isReturnHeading(name));
  const asked = isDecided || others.length > 0 ? others : open;
  const find = isDecided ? findSure : findPossible;
  const states = columns.flatMap((column) =>
    asked.includes(column) ? [] : toState(column, isReturnHeading(column.name) ? findReturned(column) : find(column)),
  );
  return { states, asked: asked.map(({ index, heading }) => ({ index, heading })) };
}

/** What means that someone came back; empty if nobody did. */
function findReturned({ cells }: ReadColumn): Says[] {
  const says: Says[] = ['yes', 'date', 'in', null];
  return cells.some((each) => says.includes(each)) ? says : [];
}

/** `name`: the folded heading; empty without one. `cells`: what the different texts say. */
type ReadColumn = AskedColumn & {
  name: string;
  read: (cell: string) => Says;
  cells: Says[];
  isForeign: boolean;
  /** Whether its words say for sure what its answers mean. */
  isSure: boolean;
  isAnswer: boolean;
  isDated: boolean;
};

async function readColumn({ headings, hasHeadings, rows }: Table, index: number): Promise<ReadColumn> {
  const heading = headings[index] ?? '';
  const name = hasHeadings ? foldHeading(heading) : '';
  const isStatus = isStatusHeading.test(name);
  const read = (cell: string): Says => readState(cell, isStatus);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const cell = row[index] ?? '';
    if (!isBlankRow(row)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const cells = await mapWithPauses(counts.keys(), read);
  const answers = await readAnswers(counts);
  const areYesOrNo = cells.every((each) => each === 'yes' || each === 'no' || each === 'empty');
  const dates = answers.filter(({ answer }) => answer === 'date').length;
  const isSure = dates > 0 ? isSureDateHeading(name) : isSureHeading(name);
  const isDoubtful = !isSure && isDoubtfulHeading(name) && answers.every(isDateOrYes);
  return {
    index,
    heading,
    name,
    read,
    cells,
    isForeign: isForeignScript(name) || (areYesOrNo && [...counts.keys()].some(isForeignAnswer)),
    isSure,
    isAnswer: isDoubtful || (answers.length - dates <= ANSWERS_MAX && areAnswers(answers)),
    isDated: dates > 0,
  };
}

/** Of the different texts, until too many are no dates. */
async function readAnswers(counts: ReadonlyMap<string, number>): Promise<AnswerText[]> {
  const answers: AnswerText[] = [];
  const pause = createPause();
  let others = 0;
  for (const [cell, count] of counts) {
    const answer = countAnswer(cell, count);
    answers.push(answer);
    if (answer.answer !== 'date' && ++others > ANSWERS_MAX) break;
    await pause();
  }
  return answers;
}

/** Numbers may be counts. */
const isDateOrYes = ({ text, answer }: AnswerText) => answer === 'date' || (answer === 'yes' && !/\d/.test(text));

/** Whether only a person knows what it says. `isDecided`: another column says who is unsubscribed. */
function isOpen(column: ReadColumn, isDecided: boolean): boolean {
  const { name, isAnswer, isDated } = column;
  if (!isAnswer || findSure(column).length > 0) return false;
  if (isDecided && isOfOther(name)) return false;
  if (!isDated || isReturnHeading(name)) return true;
  const isOfSignUp = isOfSignUps(name) && (isDecided || findPossible(column).length > 0);
  return !isOfSignUp && !isOfOtherDates(name) && !isNotesHeading(name) && !isDoubleOptIn.test(name);
}

/** The column if some of its cells mean "not unsubscribed". */
function toState({ index, heading, name, read, cells }: ReadColumn, found: readonly Says[]): StateColumn[] {
  if (isNotesHeading(name)) return [];
  const opposites = new Set([...found, ...(cells.includes('keep') ? (['keep'] as const) : [])]);
  return opposites.size === 0 ? [] : [{ index, heading, isOpposite: (cell) => opposites.has(read(cell)) }];
}

/** What means "not unsubscribed" for sure. */
const findSure = (column: ReadColumn): Says[] =>
  isReturnHeading(column.name) || (column.isAnswer && !column.isSure) ? [] : findOpposites(column);

/** Another channel or topic. */
const isOfOther = (name: string) => isOfOtherState.test(name) || isDoubleOptIn.test(name);

/** What means "not unsubscribed" in this column; empty if it's about something else. */
function findOpposites({ name, cells, isDated }: ReadColumn): Says[] {
  if (isOfOther(name) || name.length > HEADING_MAX) return [];
  const count = (...says: Says[]) => cells.filter((each) => says.includes(each)).length;
  const others = count(null);
  const isShort = others <= STATES_MAX;
  const isOfStates = count('in', 'out', 'yes', 'no') > 0 && isShort;
  const unknown: Says[] = isOfStates ? [null] : [];
  const side = sideOf(name);
  if (side === 'out') {
    if (isDated && isShort) return ['no', 'empty', 'in', null];
    return isOfStates || count('date', 'empty') > 0 ? ['no', 'empty', 'in', ...unknown] : [];
  }
  if (side === 'in' || saysStay(name)) return isOfStates ? ['yes', 'in', 'empty', ...unknown] : [];
  const named = count('in', 'out');
  if (named === 0 || !isShort) return [];
  if (isStatusHeading.test(name)) return ['in', 'yes', 'no', 'empty', null];
  return named >= others + count('yes', 'no', 'date') ? ['in', 'empty', null] : [];
}

/** An unreadable status, a column with few texts in an unknown language, opt-in dates, and answers without a heading. */
function findPossible({ name, cells, isForeign }: ReadColumn): Says[] {
  const side = sideOf(name);
  const isAnswer = (each: Says) => each === 'yes' || each === 'no';
  if (name === '' && cells.some(isAnswer) && !cells.some((each) => each === null || each === 'date'))
    return ['yes', 'no', 'in', 'empty'];
  // Without a reason or link of an unsubscribe.
  if (side === 'out' && cells.includes('empty')) return ['empty'];
  if (isOfOtherState.test(name)) return [];
  const isSure = isSureStatus.test(name) || isDoubleOptIn.test(name);
  const isStatus = isSure || (side === 'in' && cells.includes(null) && !isOfOtherNumbers.test(name));
  if (cells.length <= (isStatus ? STATES_MAX : isForeign ? FOREIGN_MAX : 0))
    return ['yes', 'no', 'in', 'empty', null, ...(isSure ? (['date'] as const) : [])];
  return saysStay(name) && !isOfOtherDates(name) && cells.includes('date') && cells.includes('empty')
    ? ['date', 'empty']
    : [];
}
