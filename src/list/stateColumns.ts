import { unescapeFormulas } from '#contract/csvInjection.ts';
import { foldText } from '../contact/foldText.ts';
import { foldHeading } from '../contact/idNames.ts';
import type { Table } from './parseTable.ts';
import { isInHeading, isOutHeading, isStatusHeading, saysIn, saysNo, saysOut, saysYes } from './stateWords.ts';

/** A column that says who is unsubscribed. `isOpposite`: whether a cell says, or may say, that somebody is not. */
export type StateColumn = { index: number; heading: string; isOpposite: (cell: string) => boolean };

type Says = 'out' | 'in' | 'yes' | 'no' | 'date' | 'empty' | null;

/** Different texts that a column of states has at most. */
const STATES_MAX = 20;
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[t ,].*)?$/;
const OTHER_CHANNEL = /(?<!\p{L})(?:sms|whats ?app|push|phone|mobile|call|telefon|anruf)(?!\p{L})/u;

function readState(cell: string): Says {
  const text = foldText(unescapeFormulas(cell));
  if (text === '') return 'empty';
  if (saysOut.test(text)) return 'out';
  if (saysIn.test(text)) return 'in';
  if (saysYes.test(text)) return 'yes';
  if (saysNo.test(text)) return 'no';
  return DATE.test(text) ? 'date' : null;
}

/** The columns of state in a table with headings. */
export function findStateColumns({ headings, hasHeadings, rows }: Table): StateColumn[] {
  if (!hasHeadings) return [];
  return headings.flatMap((heading, index) => {
    const opposites = findOpposites(heading, new Set(rows.map((row) => row[index] ?? '')));
    return opposites === null ? [] : [{ index, heading, isOpposite: (cell) => opposites.has(readState(cell)) }];
  });
}

/** What says the opposite of "unsubscribed" below this heading; null where the column says nothing about it. */
function findOpposites(heading: string, cells: ReadonlySet<string>): ReadonlySet<Says> | null {
  const name = foldHeading(heading);
  if (OTHER_CHANNEL.test(name) || name.length > 60) return null;
  const found = new Set<Says>();
  const others = new Set<string>();
  for (const cell of cells) {
    const says = readState(cell);
    found.add(says);
    if (says === null) others.add(cell);
    if (others.size > STATES_MAX) return null;
  }
  const isKnown = !found.has(null);
  const hasState = found.has('in') || found.has('out');
  if (isOutHeading.test(name)) return isKnown ? new Set<Says>(['no', 'empty', 'in']) : null;
  if (isInHeading.test(name)) return isKnown && !found.has('date') ? new Set<Says>(['yes', 'in']) : null;
  if (isStatusHeading.test(name) && hasState) return new Set<Says>(['in', 'yes', 'no', 'empty', null]);
  const isOfStates = hasState && [...found].every((says) => says === 'in' || says === 'out' || says === 'empty');
  return isOfStates ? new Set<Says>(['in', 'empty']) : null;
}
