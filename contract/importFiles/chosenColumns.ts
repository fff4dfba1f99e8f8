import type { CHOSEN_USES } from '#contract/runs.ts';
import type { SuppressionReason } from '#contract/suppressions/suppression.ts';
import { bareLetters } from './consents.ts';
import type { Target } from './fileKind.ts';
import { findDateOrder } from './sourceTime.ts';
import type { Plan, PlannedColumn } from './translateRow.ts';

// Columns of any file that were chosen for an unsubscribe: its day and its reason.

/** Words of each reason; letter case, spaces and marks between them don't count. */
const WORDS: Readonly<Record<SuppressionReason, string>> = {
  request: 'request, requested, unsubscribe, unsubscribed, unsub, opt-out, opted out, user request, user unsubscribed',
  complaint: 'complaint, complained, spam, abuse, spam complaint, spam report, reported spam, marked as spam',
  bounce: 'bounce, bounced, hard bounce, hard bounced, permanent bounce, invalid email, invalid address',
  legal: 'legal',
  list: 'list',
  other: 'other',
};

const BY_WORD = Object.fromEntries(
  Object.entries(WORDS).flatMap(([reason, words]) =>
    words.split(',').map((word) => [bareLetters(word), reason as SuppressionReason]),
  ),
);

/** What a column may be chosen for, besides an attribute. */
export type ChosenUse = (typeof CHOSEN_USES)[number];

/** Columns of these names are chosen by them. */
export const CHOSEN_NAMES: ReadonlyMap<string, ChosenUse> = new Map([
  ['suppression.since', 'since'],
  ['suppression.reason', 'reason'],
]);

/** The plan with columns that were chosen; `cellsOf` gives the cells of one, null if they can't be read beforehand. */
export function chooseColumns(
  plan: Plan,
  chosen: ReadonlyMap<number, ChosenUse>,
  cellsOf: (column: number) => Iterable<string>,
): Plan {
  if (chosen.size === 0) return plan;
  const unsubscribes = plan.suppressed === null && !plan.columns.some(({ target }) => saysWho(target));
  const columns = plan.columns.map((column, index): PlannedColumn => {
    const use = chosen.get(index);
    if (use === undefined) return column;
    const target: Target =
      use === 'reason'
        ? { reason: BY_WORD, otherwise: 'other' }
        : { dateOrder: findDateOrder(cellsOf(index)), unsubscribes };
    return { ...column, target };
  });
  return { ...plan, columns };
}

const saysWho = (target: Target): boolean =>
  typeof target === 'object' &&
  ('subscribed' in target || 'filled' in target || ('dateOrder' in target && target.unsubscribes));

/** What the column was chosen for; null if it wasn't. */
export function chosenUse({ target }: PlannedColumn): ChosenUse | null {
  if (typeof target !== 'object') return null;
  if ('dateOrder' in target) return 'since';
  return 'reason' in target && target.otherwise !== undefined ? 'reason' : null;
}

const isDate = (target: Target): boolean => target === 'since' || (typeof target === 'object' && 'dateOrder' in target);
const isReason = (target: Target): boolean => typeof target === 'object' && 'reason' in target;
const isChosen = (column: PlannedColumn): boolean => chosenUse(column) !== null;

/** Why the chosen columns can't be imported like this; null if they can. */
export function findChoiceFault({ columns, suppressed }: Plan): string | null {
  const dates = columns.filter(({ target }) => isDate(target));
  const reasons = columns.filter(({ target }) => isReason(target));
  if (dates.length > 1 && dates.some(isChosen))
    return 'Two columns say since when somebody is unsubscribed. Leave one out.';
  if (reasons.length > 1 && reasons.some(isChosen))
    return 'Two columns say why somebody is unsubscribed. Leave one out.';
  if (suppressed === null && reasons.some(isChosen) && !columns.some(({ target }) => saysWho(target)))
    return 'No column says who is unsubscribed, so the reason is about nobody.';
  return null;
}
