import { expect, test } from 'vitest';
import { describeState } from './describeState.ts';

const NOTHING = { file: null, source: 'a file', mapping: [], added: 0, changed: 19_999, unchanged: 0, refused: 0 };
const NONE = { unsubscribed: 0, resubscribed: 0 };
const imported = { ...NOTHING, undo: { done: 4499, contacts: 19_999 } };

test('an undo that stopped says how far it got, until all is undone', () => {
  expect(describeState({ ...NONE, state: 'open', imported })).toMatchObject({
    words: 'Partly undone',
    extent: '4,499 of 19,999 contacts',
  });
  expect(describeState({ ...NONE, state: 'undone', imported }).words).toBe('Undone');
  expect(describeState({ ...NONE, state: 'finished', imported: { ...NOTHING, undo: null } }).words).toBe('Finished');
  expect(describeState({ state: 'undone', imported: null, unsubscribed: 5, resubscribed: 2 })).toMatchObject({
    words: 'Partly undone',
    extent: '2 of 5 contacts',
  });
  expect(describeState({ state: 'undone', imported: null, unsubscribed: 5, resubscribed: 5 }).words).toBe('Undone');
  expect(describeState({ ...NONE, state: 'open', imported: null }).words).toBe('Not finished');
  expect(describeState({ ...NONE, state: 'resting', imported: null }).words).toBe('resting');
});
