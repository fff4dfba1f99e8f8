import { CHOSEN_NAMES, chooseColumns, findChoiceFault } from '#contract/importFiles/chosenColumns.ts';
import { SUBSCRIBED_WORDS } from '#contract/importFiles/consents.ts';
import type { Target } from '#contract/importFiles/fileKind.ts';
import { dateOrderOf } from '#contract/importFiles/sourceTime.ts';
import type { Plan, PlannedColumn } from '#contract/importFiles/translateRow.ts';
import { CommandError } from '../../terminal/terminal.ts';
import { readLines } from './readLines.ts';
import { readTable } from './readTable.ts';

/** Opens the file once more, from its beginning; null if it can be read only once. */
export type OpenAgain = (() => AsyncIterable<Uint8Array>) | null;

/**
 * How the columns `suppression.since` and `suppression.reason` are read, with `subscribed`; null if there are none. Throws
 * `CommandError`.
 */
export async function planUnsubscribes(names: readonly string[], openAgain: OpenAgain): Promise<Plan | null> {
  const uses = new Map(
    names.flatMap((name, index) => {
      const use = CHOSEN_NAMES.get(name);
      return use === undefined ? [] : [[index, use]];
    }),
  );
  if (uses.size === 0) return null;
  if (names.includes('suppression'))
    throw new CommandError('The columns suppression and suppression.since or suppression.reason exclude each other.');
  const columns = names.map((name): PlannedColumn => {
    const target: Target = name === 'subscribed' ? { subscribed: SUBSCRIBED_WORDS, why: 'unknown' } : 'nowhere';
    return { name, target, rank: -1 };
  });
  const date = names.findIndex((name) => CHOSEN_NAMES.get(name) === 'since');
  const dates = date === -1 || openAgain === null ? [] : await readDates(openAgain(), date);
  const plan = chooseColumns({ columns, suppressed: null }, uses, () => dates);
  const fault = findChoiceFault(plan);
  if (fault !== null) throw new CommandError(`${fault} Add a column subscribed or suppression.since.`);
  return plan;
}

/** A date of each order that the column has. */
async function readDates(source: AsyncIterable<Uint8Array>, column: number): Promise<string[]> {
  const found = new Map<string, string>();
  for await (const row of readTable(readLines(source, true))) {
    if ('fault' in row) continue;
    const cell = row.cells[column] ?? '';
    const order = dateOrderOf(cell);
    if (order !== null) found.set(order, cell);
  }
  return [...found.values()];
}
