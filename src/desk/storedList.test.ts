import { expect, test } from 'vitest';
import { createEntry, createOutcome, createUndo } from './entry.ts';
import { readStoredList } from './storedList.ts';

const AT = '2026-11-21T12:41:05.123Z';

/** Written by the console before rows could be ticked and lists undone. */
const oldEntry = {
  index: 0,
  line: 1,
  text: 'jane@example.com',
  as: 'the email jane@example.com',
  values: ['jane@example.com'],
  repeats: null,
  found: { state: 'subscribed', value: 'jane@example.com', uuid: 'u-1', at: AT },
  outcome: { state: 'unsubscribed', uuid: 'u-1', request_id: 'r-1', why: null, at: AT },
};
const oldList = { source: 'a.csv', workspace: 'w', began_at: AT, ended_at: null, is_saved: false };

test.each([
  [
    { ...oldList, stage: 'plan', workspace: null, began_at: null },
    { stage: 'plan', source: 'a.csv', workspace: null, notes: [], column: null, added: 0 },
  ],
  [
    { ...oldList, stage: 'run' },
    { stage: 'run', source: 'a.csv', workspace: 'w', began_at: AT },
  ],
  [
    { ...oldList, stage: 'ended', ended_at: AT, is_saved: true },
    { stage: 'ended', source: 'a.csv', workspace: 'w', began_at: AT, ended_at: AT, is_saved: true, undo: null },
  ],
])('a list from before an update goes on as it was', (list, expected) => {
  const read = readStoredList({ list, entries: [oldEntry] });
  expect(read?.list).toEqual(expected);
  expect(read?.entries).toEqual([
    {
      ...oldEntry,
      outcome: { ...oldEntry.outcome, sent_at: [] },
      source: null,
      leftOut: null,
      isTicked: true,
      person: null,
      undo: null,
    },
  ]);
});

test('what this version writes, it reads the same', () => {
  const entry = {
    ...createEntry({
      index: 0,
      line: 1,
      text: 'x',
      source: 'To',
      leftOut: 'Own',
      as: 'x',
      values: ['x'],
      repeats: 3,
    }),
    isTicked: true,
    person: { name: 'Jane', email: 'x', company: '' },
    outcome: createOutcome('unsubscribed'),
    tries: { sent: 3, errors: 2 },
    undo: createUndo('changed', 'r', 'why'),
  };
  const undo = { reason: 'Wrong list', began_at: AT };
  const list = { stage: 'undo', source: null, workspace: 'w', began_at: AT, ended_at: AT, is_saved: false, undo };
  expect(readStoredList({ list: { ...list, left: 5 }, entries: [entry] })).toEqual({ list, entries: [entry] });
});

test.each([
  ['a stage that is not known', { ...oldList, stage: 'later' }, [oldEntry]],
  ['a run without its workspace', { ...oldList, stage: 'run', workspace: null }, [oldEntry]],
  ['an entry without values', { ...oldList, stage: 'run' }, [{ ...oldEntry, values: undefined }]],
  ['a missing entry', { ...oldList, stage: 'run' }, [{ ...oldEntry, index: 1 }]],
  ['an outcome that is not known', { ...oldList, stage: 'run' }, [{ ...oldEntry, outcome: { state: 'new' } }]],
])('%s is not guessed at', (_, list, entries) => {
  expect(readStoredList({ list, entries })).toBeNull();
});
