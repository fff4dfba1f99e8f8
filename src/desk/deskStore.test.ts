import { beforeEach, expect, test } from 'vitest';
import { entryAt } from '../testing/testEntry.ts';
import { DeskStore } from './deskStore.ts';
import type { PlannedList, RunningList } from './deskState.ts';
import { createOutcome } from './entry.ts';

const plan: PlannedList = { stage: 'plan', source: null, workspace: 'w', notes: [], column: null, added: 0 };
const run: RunningList = { stage: 'run', source: null, workspace: 'w', began_at: '2026-11-21T12:41:05.123Z' };
const progress = { done: 0, total: 2, rate: 0, waitMs: 0, isFailing: false };
const done = entryAt(0, { outcome: createOutcome('unsubscribed') });

/** A journal in memory: what was written to it, in order. */
let written: unknown[];
let journalError: Error | null;
let store: DeskStore;
let shown: string[];

const write = async (...what: unknown[]): Promise<void> => {
  if (journalError !== null) throw journalError;
  written.push(what);
};

beforeEach(async () => {
  [written, journalError, shown] = [[], null, []];
  store = new DeskStore();
  store.journal = {
    replace: async (list, entries) => write('replace', list, entries),
    saveList: async (list) => write('list', list),
    saveEntries: async (entries, list) => write('entries', entries, list),
    clear: async () => write('clear'),
  };
  store.subscribe(() => shown.push(store.snapshot().phase));
  await store.replaceList(plan, [entryAt(0), entryAt(1)]);
});

test('what changes is written to the journal before it is shown, with how many entries are left', async () => {
  await store.saveList(run, { type: 'began', list: run, progress });
  await store.saveEntries([done]);
  await store.deleteList();
  expect(written).toEqual([
    ['replace', plan, [entryAt(0), entryAt(1)]],
    ['list', { ...run, left: 2 }],
    ['entries', [done], { ...run, left: 1 }],
    ['clear'],
  ]);
  expect(shown).toEqual(['plan', 'running', 'empty']);
});

test('what the journal cannot keep does not happen', async () => {
  journalError = new Error('Disk full');
  const before = store.state;
  await expect(store.saveEntries([done])).rejects.toThrow('Disk full');
  await expect(store.saveList(run, { type: 'began', list: run, progress })).rejects.toThrow('Disk full');
  await expect(store.deleteList()).rejects.toThrow('Disk full');
  expect(store.state).toBe(before);
});

test('what a request brings after the list was deleted is not written again', async () => {
  store.dispatch({ type: 'gone' });
  written = [];
  await store.saveEntries([done]);
  expect(written).toEqual([]);
});

test('a tick is shown before it is written', () => {
  void store.showAndSaveEntries({ type: 'changed', entries: [entryAt(1, { isTicked: false })] });
  const state = store.snapshot();
  expect('entries' in state && state.counts.ticked.unchecked).toBe(1);
  expect(written.at(-1)).toEqual(['entries', [entryAt(1, { isTicked: false })], { ...plan, left: 1 }]);
});
