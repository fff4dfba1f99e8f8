import { expect, test } from 'vitest';
import { entryAt } from '../testing/testEntry.ts';
import { createOutcome, openList, type BulkEntry, type BulkList, type LoadedState } from './bulkState.ts';
import { LEFT_OUT, listStates, matches, NO_FILTER } from './entryFilter.ts';

const plan: BulkList = { stage: 'plan', source: null, workspace: 'w', notes: [], column: null, added: 0 };
const ended: BulkList = {
  stage: 'ended',
  source: null,
  workspace: 'w',
  began_at: '2026-11-21T12:41:05.123Z',
  ended_at: '2026-11-21T12:41:05.123Z',
  is_saved: false,
  undo: null,
};

function open(list: BulkList, entries: readonly BulkEntry[]): LoadedState {
  const state = openList(list, entries, 'w');
  if (!('entries' in state)) throw new Error('There is no list.');
  return state;
}

const entries = [
  entryAt(0),
  entryAt(1, { outcome: createOutcome('unsubscribed') }),
  entryAt(2, { isSelected: false }),
  entryAt(3, { isSelected: false, values: [] }),
  entryAt(4, { isSelected: false, repeats: 1 }),
];

test('who is left out is one choice before and after a run, and all choices add up to the list', () => {
  for (const list of [plan, ended]) {
    const states = listStates(open(list, entries));
    expect(states.map(({ label, count }) => [label, count])).toEqual([
      ['Not checked', 1],
      ['Unsubscribed', 1],
      ['Duplicate', 1],
      ['Unreadable', 1],
      [LEFT_OUT, 1],
    ]);
    for (const { value, count } of states)
      expect(entries.filter((entry) => matches(entry, { ...NO_FILTER, state: value }))).toHaveLength(count);
  }
});
