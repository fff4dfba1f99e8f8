import { expect, test } from 'vitest';
import { entryAt } from '../testing/testEntry.ts';
import {
  addEntries,
  changeEntries,
  countEntries,
  countWork,
  createOutcome,
  createUndo,
  openList,
  statusesToCheck,
  stop,
  type BulkEntry,
  type BulkList,
  type EndedList,
  type LoadedState,
  type PlannedList,
  type RunningList,
} from './bulkState.ts';

const AT = '2026-11-21T12:41:05.123Z';
const WORKSPACE = '11111111-1111-4111-8111-111111111111';

const entries = [entryAt(0), entryAt(1)];
const plan: PlannedList = { stage: 'plan', source: null, workspace: WORKSPACE, notes: [], column: null, added: 0 };
const run: RunningList = { stage: 'run', source: null, workspace: WORKSPACE, began_at: AT, run: 'r' };
const ended: EndedList = { ...run, stage: 'ended', ended_at: AT, is_saved: false, undo: null };
const undone: BulkList = { ...ended, stage: 'undo', undo: { reason: 'Wrong list', began_at: AT } };

function open(list: BulkList, rows: readonly BulkEntry[] = entries): LoadedState {
  const state = openList(list, rows, WORKSPACE);
  if (!('entries' in state)) throw new Error('There is no list.');
  return state;
}

test.each([
  [plan, 'plan'],
  [run, 'paused'],
  [undone, 'paused'],
  [ended, 'ended'],
] as const)('a list of the journal is shown in its phase; a run waits for a click', (list, phase) => {
  expect(open(list).phase).toBe(phase);
});

test('a list from another workspace is not shown; if one of the two is unknown, it is', () => {
  expect(openList(run, entries, 'another')).toEqual({ phase: 'foreign' });
  expect(openList(run, entries, null).phase).toBe('paused');
  expect(openList({ ...plan, workspace: null }, entries, 'another').phase).toBe('plan');
});

test('a stopped run is paused, a stopped check returns to the plan, and other states do not change', () => {
  const progress = { done: 1, total: 2, rate: 0, waitMs: 0, isFailing: false, kept: null };
  const { counts } = open(run);
  const loaded = { entries, counts, error: null };
  expect(stop({ phase: 'running', list: run, entries, counts, progress }, 'Failed')).toEqual({
    ...loaded,
    phase: 'paused',
    list: run,
    error: 'Failed',
  });
  expect(stop({ ...loaded, phase: 'checking', list: plan, progress }, null)).toEqual(open(plan));
  expect(stop(open(ended), 'Failed')).toEqual(open(ended));
  expect(stop({ phase: 'gone' }, 'Failed')).toEqual({ phase: 'gone' });
});

test('an entry of a longer, replaced list changes nothing', () => {
  expect(changeEntries(open(plan), [entryAt(7)])).toEqual(open(plan));
});

test('the counts are those of the entries, whatever changes', () => {
  const changes: Partial<BulkEntry>[] = [
    {},
    { isSelected: false },
    { repeats: 1 },
    { values: [] },
    { outcome: createOutcome('unsubscribed') },
    { outcome: createOutcome('unsubscribed'), undo: createUndo('changed') },
    { isSelected: false, found: { state: 'unsubscribed', value: 'c', uuid: 'u', at: AT } },
  ];
  let state = open(run);
  for (const index of [0, 1]) {
    for (const change of changes) {
      state = changeEntries(state, [entryAt(index, change)]);
      expect(state.entries[index]).toEqual(entryAt(index, change));
      expect(state.counts).toEqual(countEntries(state.entries));
    }
  }
  const planned = open(plan);
  if (planned.phase !== 'plan') throw new Error('There is no plan.');
  const added = addEntries(planned, [entryAt(2)]);
  expect(added).toEqual(open({ ...plan, added: 1 }, [...entries, entryAt(2)]));
});

test('entries are left that a run would send, or an undo reverse', () => {
  const rows = [
    entryAt(0, { outcome: createOutcome('unsubscribed') }),
    entryAt(1, { outcome: createOutcome('sent') }),
    entryAt(2),
    entryAt(3, { isSelected: false }),
    entryAt(4, { repeats: 1 }),
    entryAt(5, { outcome: createOutcome('unsubscribed'), undo: createUndo('resubscribed') }),
  ];
  expect(countWork(open(run, rows))).toEqual({ left: 2, done: 1 });
  expect(countWork(open(undone, rows))).toEqual({ left: 1, done: 1 });
  const found = { state: 'unsubscribed', value: null, uuid: 'u', at: AT } as const;
  const complaints = { ...run, said: { reason: 'complaint' } } as const;
  const recorded = [entryAt(0, { found }), entryAt(1, { found, outcome: createOutcome('recorded') })];
  expect(countWork(open(run, recorded))).toEqual({ left: 0, done: 1 });
  expect(countWork(open(complaints, recorded))).toEqual({ left: 1, done: 1 });
});

test('a check looks up new entries or, if a run would send nothing, those it would not send', () => {
  const found = { state: 'unsubscribed', value: null, uuid: null, at: AT } as const;
  const out = { ...entryAt(0), found };
  expect(statusesToCheck(countEntries([out, entryAt(1)]))).toEqual(['unchecked']);
  expect(statusesToCheck(countEntries([out, { ...entryAt(1), isSelected: false }]))).toEqual(['out', 'unknown']);
});
