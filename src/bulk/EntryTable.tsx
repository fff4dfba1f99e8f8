import { useMemo, useState } from 'react';
import { BROKEN, UNDECIDED } from '../listParser/piece.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { Choice } from '../ui/Choice.tsx';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import type { LoadedState } from './deskState.ts';
import { type DeskEntry, determineStatus, isSelectable, UNSENT_STATUSES } from './entry.ts';
import {
  type EntryFilter,
  isTickable,
  LEFT_OUT,
  listLeftOut,
  listSources,
  listStates,
  matches,
  NO_FILTER,
} from './entryFilter.ts';

import { EntryRows } from './EntryRows.tsx';
import classes from './EntryTable.module.css';
import { isOfSimilar } from './reading/similarContacts.ts';
import { useTicks } from './useTicks.tsx';

type Props = { state: LoadedState; filter: EntryFilter; onFilter: (filter: EntryFilter) => void };

/** The entries of the list with their states, filtered by state and by what they were found in. */
export function EntryTable({ state, filter, onFilter }: Props) {
  const { entries } = state;
  const isPlan = isTickable(state);
  const ticks = useTicks(state.phase === 'plan');
  const shown = useShownEntries(state, filter);
  const sources = useMemo(() => listSources(entries), [entries]);
  const selectable = useMemo(() => (ticks === null ? [] : shown.filter(isSelectable)), [shown, ticks]);
  const tickedEntries = useMemo(() => selectable.filter(({ isTicked }) => isTicked), [selectable]);
  const ticked = tickedEntries.length;
  const together = useMemo(() => selectable.filter(isTickedWithOthers), [selectable]);
  const isAllTicked = together.length > 0 && together.every(({ isTicked }) => isTicked);
  const leftOut = isPlan ? listLeftOut(state).length : 0;
  const choose = (change: Partial<EntryFilter>) => {
    const next = { ...filter, ...change };
    onFilter(Object.values(next).every((value) => value === null) ? NO_FILTER : next);
  };
  return (
    <section className={classes.list} aria-labelledby="entries">
      <h2 id="entries" className="visually-hidden">
        The list
      </h2>
      <Choice
        label="Show"
        value={filter.state ?? 'All'}
        choices={[{ value: 'All', label: 'All', count: entries.length }, ...listStates(state)]}
        onChange={(label) => choose({ state: label === 'All' || label === filter.state ? null : label })}
      />
      {sources.length > 0 && (
        <Choice
          label="Found in"
          value={filter.source}
          choices={sources.map((source) => ({ ...source, label: escapeHidden(source.label) }))}
          onChange={(label) => choose({ source: label === filter.source ? null : label })}
        />
      )}
      {(leftOut > 0 || filter.isLeftOut) && (
        <Choice
          label="Not selected"
          value={filter.isLeftOut && LEFT_OUT}
          choices={[{ value: LEFT_OUT, label: LEFT_OUT, count: leftOut }]}
          onChange={() => choose({ isLeftOut: filter.isLeftOut ? null : true })}
        />
      )}
      {ticks !== null && selectable.length > 0 && (
        <label className={classes.all}>
          <input
            type="checkbox"
            checked={isAllTicked}
            disabled={together.length === 0}
            ref={(box) => {
              if (box !== null) box.indeterminate = ticked > 0 && !isAllTicked;
            }}
            onChange={() => ticks.tick(isAllTicked ? selectable : together, !isAllTicked)}
          />
          {formatCount(ticked)} of {formatCount(selectable.length)} selected
          {describeSpared(tickedEntries)}
          {filter !== NO_FILTER && ' in this view'}
        </label>
      )}
      <EntryRows shown={shown} isPlan={isPlan} onTick={ticks?.tick ?? null} />
      {ticks?.notice}
    </section>
  );
}

/**
 * The entries that the filter shows. While they can be ticked, none of them goes because of a tick: the next row would come
 * under the pointer, and the keys would lose theirs.
 */
function useShownEntries(state: LoadedState, filter: EntryFilter): readonly DeskEntry[] {
  const { phase, list, entries } = state;
  const isPlan = isTickable(state);
  const matching = useMemo(
    () => (filter === NO_FILTER ? null : entries.filter((entry) => matches(entry, filter, isPlan))),
    [entries, filter, isPlan],
  );
  const occasion = [filter, phase, list, entries.length];
  const [settled, setSettled] = useState({ occasion, matching });
  const isSettled = occasion.every((part, index) => part === settled.occasion[index]);
  if (!isSettled) setSettled({ occasion, matching });
  const kept = isSettled && phase === 'plan' ? settled.matching : matching;
  return useMemo(() => kept?.flatMap(({ index }) => entries.at(index) ?? []) ?? entries, [kept, entries]);
}

/** Not where the program guesses: two readings of one address, a column that nobody has chosen, a similar contact. */
const isTickedWithOthers = ({ leftOut }: DeskEntry) =>
  leftOut === null || !(leftOut === BROKEN || leftOut === UNDECIDED || isOfSimilar(leftOut));

/** How many of the ticked entries need no request, so that the number agrees with that of the button. */
function describeSpared(ticked: readonly DeskEntry[]): string {
  const spared = ticked.filter((entry) => !UNSENT_STATUSES.includes(determineStatus(entry))).length;
  return spared === 0 ? '' : `, ${formatCount(spared)} of them not found or already unsubscribed`;
}
