import { expect, test } from 'vitest';
import { entryAt } from '../testing/testEntry.ts';
import {
  countWork,
  type DeskEvent,
  type DeskList,
  type DeskState,
  type EndedList,
  reduceDesk,
  type RunningList,
} from './deskState.ts';
import { countEntries, createOutcome, createUndo, type DeskEntry, statusesToCheck } from './entry.ts';

const AT = '2026-11-21T12:41:05.123Z';
const WORKSPACE = '11111111-1111-4111-8111-111111111111';
const progress = { done: 0, total: 2, rate: 0, waitMs: 0, isFailing: false };

const entries = [entryAt(0), entryAt(1)];
const plan: DeskList = { stage: 'plan', source: null, workspace: WORKSPACE, notes: [], column: null, added: 0 };
const run: RunningList = { stage: 'run', source: null, workspace: WORKSPACE, began_at: AT };
const ended: EndedList = { ...run, stage: 'ended', ended_at: AT, is_saved: false, undo: null };
const undone: DeskList = { ...ended, stage: 'undo', undo: { reason: 'Wrong list', began_at: AT } };

const after = (...events: DeskEvent[]): DeskState => events.reduce(reduceDesk, { phase: 'opening' } as DeskState);
const opened = (list: DeskList | null, workspace: string | null = WORKSPACE): DeskEvent => ({
  type: 'opened',
  list,
  entries: list === null ? [] : entries,
  workspace,
});

test.each([
  [null, 'empty'],
  [plan, 'plan'],
  [run, 'paused'],
  [undone, 'paused'],
  [ended, 'ended'],
] as const)('a list of the journal is shown in its phase; a run waits for a click', (list, phase) => {
  expect(after(opened(list)).phase).toBe(phase);
});

test('the list of another workspace is not shown; where one of the two is not known, it is', () => {
  expect(after(opened(run, 'another'))).toEqual({ phase: 'foreign' });
  expect(after(opened(run, null)).phase).toBe('paused');
  expect(after(opened({ ...plan, workspace: null }, 'another')).phase).toBe('plan');
});

test('a list goes from the plan to the receipt, and its undo back to the receipt', () => {
  const events: [DeskEvent, DeskState['phase']][] = [
    [opened(null), 'empty'],
    [{ type: 'read', list: plan, entries }, 'plan'],
    [{ type: 'checking', progress }, 'checking'],
    [{ type: 'progressed', progress: { ...progress, done: 1 } }, 'checking'],
    [{ type: 'checked' }, 'plan'],
    [{ type: 'began', list: run, progress }, 'running'],
    [{ type: 'stopped', error: null }, 'paused'],
    [{ type: 'began', list: run, progress }, 'running'],
    [{ type: 'ended', list: ended }, 'ended'],
    [{ type: 'began', list: undone, progress }, 'running'],
    [{ type: 'ended', list: ended }, 'ended'],
    [{ type: 'discarded' }, 'empty'],
  ];
  let state: DeskState = { phase: 'opening' };
  for (const [event, phase] of events) {
    state = reduceDesk(state, event);
    expect(state.phase, event.type).toBe(phase);
  }
});

test('what a request changes after the list was deleted, paused or ended harms nothing', () => {
  const late: DeskEvent[] = [
    { type: 'changed', entries: [entryAt(0, { outcome: createOutcome('unsubscribed') })] },
    { type: 'progressed', progress },
    { type: 'unchecked', error: 'Failed' },
    { type: 'stopped', error: 'Failed' },
    { type: 'checked' },
  ];
  for (const event of late) {
    expect(after(opened(null), event), event.type).toEqual({ phase: 'empty' });
    expect(after(opened(plan), { type: 'gone' }, event), event.type).toEqual({ phase: 'gone' });
    expect(after(opened(ended), event).phase, event.type).toBe('ended');
  }
  // The entry of a shorter list, which took the place of the one that the request was for.
  const state = after(opened(plan), { type: 'changed', entries: [entryAt(7)] });
  expect(state).toEqual(after(opened(plan)));
});

test('the counts are those of the entries, whatever changes', () => {
  const states: Partial<DeskEntry>[] = [
    {},
    { isTicked: false },
    { repeats: 1 },
    { values: [] },
    { outcome: createOutcome('unsubscribed') },
    { outcome: createOutcome('unsubscribed'), undo: createUndo('changed') },
    { isTicked: false, found: { state: 'unsubscribed', value: 'c', uuid: 'u', at: AT } },
  ];
  let state = after(opened(run));
  for (const index of [0, 1]) {
    for (const change of states) {
      state = reduceDesk(state, { type: 'changed', entries: [entryAt(index, change)] });
      if (!('entries' in state)) throw new Error('There is no list.');
      expect(state.counts).toEqual(countEntries(state.entries));
    }
  }
});

test('what is left is what a run would send, or an undo take back', () => {
  const rows = [
    entryAt(0, { outcome: createOutcome('unsubscribed') }),
    entryAt(1, { outcome: createOutcome('sent') }),
    entryAt(2),
    entryAt(3, { isTicked: false }),
    entryAt(4, { repeats: 1 }),
    entryAt(5, { outcome: createOutcome('unsubscribed'), undo: createUndo('resubscribed') }),
  ];
  const work = (list: DeskList) => {
    const state = after({ type: 'opened', list, entries: rows, workspace: null });
    if (!('entries' in state)) throw new Error('There is no list.');
    return countWork(state);
  };
  expect(work(run)).toEqual({ left: 2, done: 1 });
  expect(work(undone)).toEqual({ left: 1, done: 1 });
});

test('a check looks up who is new; where a run would send nothing, whom it would not send', () => {
  const found = { state: 'unsubscribed', value: null, uuid: null, at: AT } as const;
  const out = { ...entryAt(0), found };
  expect(statusesToCheck(countEntries([out, entryAt(1)]))).toEqual(['unchecked']);
  expect(statusesToCheck(countEntries([out, { ...entryAt(1), isTicked: false }]))).toEqual(['out', 'unknown']);
});
