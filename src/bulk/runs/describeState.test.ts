import { expect, test } from 'vitest';
import { describeState } from './describeState.ts';

const NOTHING = { source: 'a file', mapping: [], added: 0, changed: 19_999, unchanged: 0, refused: 0 };
const imported = { ...NOTHING, undo: { done: 4499, contacts: 19_999 } };

test('an undo that stopped says how far it got, until all is undone', () => {
  expect(describeState({ state: 'open', imported })).toMatchObject({
    words: 'Partly undone',
    extent: '4,499 of 19,999 contacts',
  });
  expect(describeState({ state: 'undone', imported }).words).toBe('Undone');
  expect(describeState({ state: 'finished', imported: { ...NOTHING, undo: null } }).words).toBe('Finished');
  expect(describeState({ state: 'open', imported: null }).words).toBe('Not finished');
  expect(describeState({ state: 'resting', imported: null }).words).toBe('resting');
});
