import { useMemo, useState } from 'react';
import { BROKEN, UNDECIDED } from '../listParser/piece.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { Choice } from '../ui/Choice.tsx';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import {
  UNSENT_STATUSES,
  determineStatus,
  isOfSimilar,
  isSelectable,
  type BulkEntry,
  type LoadedState,
} from './bulkState.ts';
import { type EntryFilter, canSelect, listSources, listStates, matches, NO_FILTER } from './entryFilter.ts';

import { isUnanswered } from './reading/question.ts';
import { EntryRows } from './EntryRows.tsx';
import classes from './EntryTable.module.css';
import { type SelectEntries, useSelection } from './BulkNotices.tsx';

type Props = { state: LoadedState; filter: EntryFilter; onFilter: (filter: EntryFilter) => void };

/** The entries of the list, filtered by state and source. */
export function EntryTable({ state, filter, onFilter }: Props) {
  const { entries } = state;
  const isPlan = canSelect(state);
  const isSelecting = state.phase === 'plan' && !isUnanswered(state.list);
  const { select, notice } = useSelection();
  const shown = useShownEntries(state, filter);
  const sources = useMemo(() => listSources(entries), [entries]);
  const states = useStateChoices(state, filter);
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
        choices={states}
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
      {isSelecting && <SelectAll shown={shown} isFiltered={filter !== NO_FILTER} onSelect={select} />}
      <EntryRows shown={shown} isPlan={isPlan} question={questionOf(state)} onSelect={isSelecting ? select : null} />
      {notice}
    </section>
  );
}

/** The chosen state stays among them when nothing is in it any more. */
function useStateChoices(state: LoadedState, { state: chosen }: EntryFilter) {
  return useMemo(() => {
    const all = { value: 'All', label: 'All', count: state.entries.length };
    const states = listStates(state);
    if (chosen === null || states.some(({ value }) => value === chosen)) return [all, ...states];
    return [all, ...states, { value: chosen, label: chosen, count: 0 }];
  }, [state, chosen]);
}

const questionOf = ({ list }: LoadedState) => (list.stage === 'plan' ? list.question : undefined);

type SelectAllProps = { shown: readonly BulkEntry[]; isFiltered: boolean; onSelect: SelectEntries };

function SelectAll({ shown, isFiltered, onSelect }: SelectAllProps) {
  const selectable = useMemo(() => shown.filter(isSelectable), [shown]);
  const selected = useMemo(() => selectable.filter(({ isSelected }) => isSelected), [selectable]);
  const together = useMemo(() => selectable.filter(isSelectedWithOthers), [selectable]);
  const isAllSelected = together.length > 0 && together.every(({ isSelected }) => isSelected);
  if (selectable.length === 0) return null;
  return (
    <label className={classes.all}>
      <input
        type="checkbox"
        checked={isAllSelected}
        disabled={together.length === 0}
        ref={(box) => {
          if (box !== null) box.indeterminate = selected.length > 0 && !isAllSelected;
        }}
        onChange={() => onSelect(isAllSelected ? selectable : together, !isAllSelected)}
      />
      {formatCount(selected.length)} of {formatCount(selectable.length)} selected
      {describeSpared(selected)}
      {isFiltered && ' in this view'}
    </label>
  );
}

/** The entries that match the filter. A row that is selected stays: the next one would move under the pointer. */
function useShownEntries(state: LoadedState, filter: EntryFilter): readonly BulkEntry[] {
  const { phase, list, entries } = state;
  const matching = useMemo(
    () => (filter === NO_FILTER ? null : entries.filter((entry) => matches(entry, filter))),
    [entries, filter],
  );
  const occasion = [filter, phase, list, entries.length];
  const [settled, setSettled] = useState({ occasion, matching });
  const isSettled = occasion.every((part, index) => part === settled.occasion[index]);
  if (!isSettled) setSettled({ occasion, matching });
  const kept = isSettled && phase === 'plan' ? settled.matching : matching;
  return useMemo(() => kept?.flatMap(({ index }) => entries.at(index) ?? []) ?? entries, [kept, entries]);
}

/** “Select all” leaves out guesses: two readings of one address, no clear column, a similar contact. */
const isSelectedWithOthers = ({ leftOut }: BulkEntry) =>
  leftOut === null || !(leftOut === BROKEN || leftOut === UNDECIDED || isOfSimilar(leftOut));

/** How many selected entries need no request, so that the numbers add up to the button's. */
function describeSpared(selected: readonly BulkEntry[]): string {
  const spared = selected.filter((entry) => !UNSENT_STATUSES.includes(determineStatus(entry))).length;
  return spared === 0 ? '' : `, ${formatCount(spared)} of them not found or already unsubscribed`;
}
