import { beforeEach, expect, test } from 'vitest';
import { entryAt } from '../testing/testEntry.ts';
import { BulkStore } from './bulkStore.ts';
import { changeEntries, createOutcome, type PlannedList, type RunningList } from './bulkState.ts';

const plan: PlannedList = { stage: 'plan', source: null, workspace: 'w', notes: [], column: null, added: 0 };
const run: RunningList = { stage: 'run', source: null, workspace: 'w', began_at: '2026-11-21T12:41:05.123Z', run: 'r' };
const progress = { done: 0, total: 2, rate: 0, waitMs: 0, isFailing: false, kept: null };
const done = entryAt(0, { outcome: createOutcome('unsubscribed') });

/** A journal in memory: what was written to it, in order. */
let written: unknown[];
let journalError: Error | null;
let store: BulkStore;
let shown: string[];

const write = async (...what: unknown[]): Promise<void> => {
  if (journalError !== null) throw journalError;
  written.push(what);
};

beforeEach(async () => {
  [written, journalError, shown] = [[], null, []];
  store = new BulkStore();
  store.journal = {
    replace: async (list, entries) => write('replace', list, entries),
    saveList: async (list) => write('list', list),
    saveEntries: async (entries, list) => write('entries', entries, list),
    saveTyped: async (text) => write('typed', text),
    clear: async () => write('clear'),
  };
  store.subscribe(() => shown.push(store.snapshot().phase));
  await store.replaceList(plan, [entryAt(0), entryAt(1)]);
});

const begin = () =>
  store.saveList(run, ({ entries, counts }) => ({ phase: 'running', list: run, entries, counts, progress }));

test('a change is written to the journal with the number of entries left before it is shown', async () => {
  await begin();
  await store.saveEntries([done]);
  await store.deleteList();
  expect(written).toEqual([
    ['replace', { ...plan, left: 2, format: 1 }, [entryAt(0), entryAt(1)]],
    ['list', { ...run, left: 2, format: 1 }],
    ['entries', [done], { ...run, left: 1, format: 1 }],
    ['clear'],
  ]);
  expect(shown).toEqual(['plan', 'running', 'empty']);
});

test('a change that the journal cannot store does not happen', async () => {
  journalError = new Error('Disk full');
  const before = store.state;
  await expect(store.saveEntries([done])).rejects.toThrow('Disk full');
  await expect(begin()).rejects.toThrow('Disk full');
  await expect(store.deleteList()).rejects.toThrow('Disk full');
  expect(store.state).toBe(before);
});

test('typed text is written once, and there for the page that comes back', async () => {
  written = [];
  await store.saveTyped('ada@x.test');
  await store.saveTyped('ada@x.test');
  expect(written).toEqual([['typed', 'ada@x.test']]);
  expect(store.typed).toBe('ada@x.test');
});

test('a response after the list was deleted is not written', async () => {
  store.show({ phase: 'gone' });
  written = [];
  await store.saveEntries([done]);
  await begin();
  expect(written).toEqual([]);
  expect(store.state).toEqual({ phase: 'gone' });
});

test('a selection is shown before it is written', () => {
  const { state } = store;
  if (!('entries' in state)) throw new Error('There is no list.');
  const unselected = [entryAt(1, { isSelected: false })];
  void store.showAndSave(changeEntries(state, unselected), unselected);
  expect(store.snapshot()).toMatchObject({ counts: { selected: { unchecked: 1 } } });
  expect(written.at(-1)).toEqual(['entries', [entryAt(1, { isSelected: false })], { ...plan, left: 1, format: 1 }]);
});

test('a list of this version is shown; another is kept unchanged', () => {
  store.open({ list: { ...run, left: 1, format: 1 }, entries: [done, entryAt(1)] }, 'w');
  expect(store.state).toMatchObject({ phase: 'paused', counts: { all: { unsubscribed: 1, unchecked: 1 } } });
  for (const list of [run, { ...run, format: 2 }, null]) {
    const contents = { list, entries: [done] };
    store.open(contents, 'w');
    expect(store.state).toEqual({ phase: 'unreadable', contents });
  }
});

test('many changed entries are written with the whole list', async () => {
  const all = Array.from({ length: 502 }, (_, index) => entryAt(index));
  await store.replaceList(plan, all);
  const { state } = store;
  if (!('entries' in state)) throw new Error('There is no list.');
  const unselected = all.slice(1).map((entry) => ({ ...entry, isSelected: false }));
  await store.showAndSave(changeEntries(state, unselected), unselected);
  expect(written.at(-1)).toEqual(['replace', { ...plan, left: 1, format: 1 }, [all[0], ...unselected]]);
});
