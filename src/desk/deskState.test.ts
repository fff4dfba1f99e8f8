import { expect, test } from 'vitest';
import {
  countWork,
  type DeskEvent,
  type DeskList,
  type DeskState,
  type EndedList,
  reduceDesk,
  type RunningList,
} from './deskState.ts';
import { countEntries, createEntry, createOutcome, createUndo, type DeskEntry } from './entry.ts';

const AT = '2026-11-21T12:41:05.123Z';
const WORKSPACE = '11111111-1111-4111-8111-111111111111';
const progress = { done: 0, total: 2, rate: 0, waitMs: 0, isFailing: false };

const entry = (index: number, rest: Partial<DeskEntry> = {}): DeskEntry => ({
  ...createEntry({
    index,
    line: index + 1,
    text: `c${index}`,
    as: `c${index}`,
    values: [`c${index}`],
    repeats: null,
    source: null,
  }),
  ...rest,
});
const entries = [entry(0), entry(1)];
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

const keys = (...events: DeskEvent[]) => Object.keys(after(...events)).toSorted();

test('a state has what its phase has, and nothing else', () => {
  expect(keys(opened(null))).toEqual(['phase']);
  expect(keys(opened(plan))).toEqual(['counts', 'entries', 'error', 'list', 'phase']);
  expect(keys(opened(plan), { type: 'began', list: run, progress })).toEqual([
    'counts',
    'entries',
    'list',
    'phase',
    'progress',
  ]);
  expect(keys(opened(plan), { type: 'gone' })).toEqual(['phase']);
  expect(keys(opened(plan), { type: 'checking', progress }, { type: 'ended', list: ended })).toEqual([
    'counts',
    'entries',
    'list',
    'phase',
  ]);
});

test('what a request changes after the list was deleted, paused or ended harms nothing', () => {
  const late: DeskEvent[] = [
    { type: 'changed', entries: [entry(0, { outcome: createOutcome('unsubscribed') })] },
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
  const state = after(opened(plan), { type: 'changed', entries: [entry(7)] });
  expect(state).toEqual(after(opened(plan)));
});

test('of several errors the first is kept, and a new check or run forgets it', () => {
  const failed = after(
    opened(plan),
    { type: 'checking', progress },
    { type: 'unchecked', error: 'first' },
    { type: 'unchecked', error: 'second' },
    { type: 'stopped', error: 'third' },
  );
  expect(failed).toMatchObject({ phase: 'plan', error: 'first' });
  expect(reduceDesk(failed, { type: 'checking', progress })).toMatchObject({ error: null });
  expect(reduceDesk(failed, { type: 'began', list: run, progress })).not.toHaveProperty('error');
});

test('an entry is replaced in a new state, and the old one stays as it was', () => {
  const before = after(opened(run));
  const changed = entry(1, { outcome: createOutcome('unsubscribed') });
  const next = reduceDesk(before, { type: 'changed', entries: [changed] });
  if (!('entries' in before && 'entries' in next)) throw new Error('There is no list.');
  expect([...before.entries]).toEqual(entries);
  expect([...next.entries]).toEqual([entries[0], changed]);
  expect(next.counts.all).toMatchObject({ unchecked: 1, unsubscribed: 1 });
  expect(before.counts.all).toMatchObject({ unchecked: 2, unsubscribed: 0 });
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
      state = reduceDesk(state, { type: 'changed', entries: [entry(index, change)] });
      if (!('entries' in state)) throw new Error('There is no list.');
      expect(state.counts).toEqual(countEntries(state.entries));
    }
  }
});

test('what is left is what a run would send, or an undo take back', () => {
  const rows = [
    entry(0, { outcome: createOutcome('unsubscribed') }),
    entry(1, { outcome: createOutcome('sent') }),
    entry(2),
    entry(3, { isTicked: false }),
    entry(4, { repeats: 1 }),
    entry(5, { outcome: createOutcome('unsubscribed'), undo: createUndo('resubscribed') }),
  ];
  const work = (list: DeskList) => {
    const state = after({ type: 'opened', list, entries: rows, workspace: null });
    if (!('entries' in state)) throw new Error('There is no list.');
    return countWork(state);
  };
  expect(work(run)).toEqual({ left: 2, done: 1 });
  expect(work(undone)).toEqual({ left: 1, done: 1 });
});

test('entries that are added follow the others, which stay as they are', () => {
  const chosen = entry(1, { isTicked: false, person: { name: 'Jane', email: 'jane@x.test', company: '' } });
  const state = after(
    opened(plan),
    { type: 'changed', entries: [chosen] },
    { type: 'added', entries: [entry(2), entry(3)] },
  );
  const expected = [entry(0), chosen, entry(2), entry(3)];
  expect('entries' in state && [...state.entries]).toEqual(expected);
  expect('counts' in state && state.counts).toEqual(countEntries(expected));
});
