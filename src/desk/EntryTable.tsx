import { useMemo } from 'react';
import { formatCount } from '../ui/formatCount.ts';
import { Choice } from '../ui/Choice.tsx';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import type { LoadedState } from './deskState.ts';
import { isSelectable } from './entry.ts';
import { type EntryFilter, listSources, listStates, matches, NO_FILTER } from './entryFilter.ts';
import { EntryRows } from './EntryRows.tsx';
import classes from './EntryTable.module.css';
import { useTicks } from './useTicks.tsx';

type Props = { state: LoadedState; filter: EntryFilter; onFilter: (filter: EntryFilter) => void };

/** The entries of the list with their states, filtered by state and by what they were found in. */
export function EntryTable({ state, filter, onFilter }: Props) {
  const { entries } = state;
  const ticks = useTicks(state.phase === 'plan');
  const shown = useMemo(
    () => (filter === NO_FILTER ? entries : entries.filter((entry) => matches(entry, filter))),
    [entries, filter],
  );
  const sources = useMemo(() => listSources(entries), [entries]);
  const selectable = useMemo(() => (ticks === null ? [] : shown.filter(isSelectable)), [shown, ticks]);
  const ticked = useMemo(() => selectable.filter(({ isTicked }) => isTicked).length, [selectable]);
  const choose = (change: Partial<EntryFilter>) => {
    const next = { ...filter, ...change };
    onFilter(next.state === null && next.source === null ? NO_FILTER : next);
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
      {ticks !== null && selectable.length > 0 && (
        <label className={classes.all}>
          <input
            type="checkbox"
            checked={ticked === selectable.length}
            ref={(box) => {
              if (box !== null) box.indeterminate = ticked > 0 && ticked < selectable.length;
            }}
            onChange={() => ticks.tick(selectable, ticked < selectable.length)}
          />
          {formatCount(ticked)} of {formatCount(selectable.length)} selected
          {filter !== NO_FILTER && ' in this view'}
        </label>
      )}
      <EntryRows shown={shown} onTick={ticks?.tick ?? null} />
      {ticks?.notice}
    </section>
  );
}
