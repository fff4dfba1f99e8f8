import type { SuppressionReason } from '#contract/suppressions/suppression.ts';
import { bareLetters, SUBSCRIBED_WORDS } from './consents.ts';
import type { ChosenUse, Target } from './fileKind.ts';
import { findDateOrder } from './sourceTime.ts';
import type { Plan, PlannedColumn } from './translateRow.ts';

// Columns of any file that were chosen for an unsubscribe: who it's about, its day and its reason.

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

/** Columns of these names are chosen by them. */
export const CHOSEN_NAMES: ReadonlyMap<string, ChosenUse> = new Map([
  ['suppression.since', 'since'],
  ['suppression.reason', 'reason'],
]);

const UNSUBSCRIBED_WORDS = Object.fromEntries(Object.entries(SUBSCRIBED_WORDS).map(([word, value]) => [word, !value]));
/** Which column says who is unsubscribed. */
const WHO: ReadonlySet<ChosenUse | undefined> = new Set(['subscribed', 'unsubscribed']);

/** The plan with columns that were chosen; `cellsOf` gives the cells of one, null if they can't be read beforehand. */
export function chooseColumns(
  plan: Plan,
  chosen: ReadonlyMap<number, ChosenUse>,
  cellsOf: (column: number) => Iterable<string>,
): Plan {
  if (chosen.size === 0) return plan;
  const unsubscribes =
    plan.suppressed === null &&
    !plan.columns.some(({ target }) => saysWho(target)) &&
    ![...chosen.values()].some((use) => WHO.has(use));
  const targetOf = (use: ChosenUse, index: number): Target => {
    if (use === 'reason') return { reason: BY_WORD, otherwise: 'other' };
    if (use === 'since') return { dateOrder: findDateOrder(cellsOf(index)), unsubscribes };
    return { subscribed: use === 'subscribed' ? SUBSCRIBED_WORDS : UNSUBSCRIBED_WORDS, why: 'unknown' };
  };
  const columns = plan.columns.map((column, index): PlannedColumn => {
    const use = chosen.get(index);
    if (use === undefined) return column;
    return { ...column, target: targetOf(use, index), chosen: use };
  });
  return { ...plan, columns };
}

export const saysWho = (target: Target): boolean =>
  typeof target === 'object' &&
  ('subscribed' in target || 'filled' in target || ('dateOrder' in target && target.unsubscribes));

const isDate = (target: Target): boolean => target === 'since' || (typeof target === 'object' && 'dateOrder' in target);
const isReason = (target: Target): boolean => typeof target === 'object' && 'reason' in target;
const isChosen = ({ chosen }: PlannedColumn): boolean => chosen !== undefined;
const isWho = ({ target }: PlannedColumn): boolean => typeof target === 'object' && 'subscribed' in target;

/** Why the chosen columns can't be imported like this; null if they can. */
export function findChoiceFault({ columns, suppressed }: Plan): string | null {
  const dates = columns.filter(({ target }) => isDate(target));
  const reasons = columns.filter(({ target }) => isReason(target));
  const who = columns.filter(isWho);
  if (suppressed !== null && who.some(isChosen))
    return 'Everyone in this file is unsubscribed, so no column can say who is. Leave it out, or choose above that these are contacts.';
  if (who.length > 1 && who.some(isChosen)) return 'Two columns say who is unsubscribed. Leave one out.';
  if (dates.length > 1 && dates.some(isChosen))
    return 'Two columns say since when somebody is unsubscribed. Leave one out.';
  if (reasons.length > 1 && reasons.some(isChosen))
    return 'Two columns say why somebody is unsubscribed. Leave one out.';
  if (suppressed === null && reasons.some(isChosen) && !columns.some(({ target }) => saysWho(target)))
    return 'No column says who is unsubscribed, so the reason is about nobody.';
  return null;
}
