import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { BROKEN, describeText, IN_MESSAGE, UNDECIDED } from '../../listParser/piece.ts';
import { entryAt } from '../../testing/testEntry.ts';
import { openPage } from '../../testing/testPage.tsx';
import type { BulkEntry } from '../bulkState.ts';
import { LeftOutNotices } from './LeftOutNotice.tsx';

const OWN = 'At your own domain acme.test';

/** Entries that begin unselected for these reasons, of which the first `selected` are selected. */
const listOf = (reasons: readonly (string | null)[], selected = 0) =>
  reasons.map((leftOut, index) => entryAt(index, { leftOut, isSelected: index < selected }));

const show = (list: readonly BulkEntry[]) =>
  openPage(<LeftOutNotices entries={list} question={undefined} onShow={() => {}} />);

test('uncertain entries are counted by reason, and only chosen one by one', () => {
  show(listOf([IN_MESSAGE, IN_MESSAGE, BROKEN, null], 1));
  expect(screen.getByText('1 of 3 uncertain entries selected')).toBeDefined();
  expect(screen.getByText(`${IN_MESSAGE}: 2`)).toBeDefined();
  expect(screen.getByText(`${BROKEN}: 1`)).toBeDefined();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Choose']);
});

test('own addresses, and rows of another state, may be selected together', () => {
  show(listOf([OWN, '“status” says “subscribed”', '“status” is empty']));
  expect(screen.getByText('2 that aren’t unsubscribed in this table left out')).toBeDefined();
  expect(screen.getByText('1 of your own addresses left out')).toBeDefined();
  expect(screen.getAllByRole('button', { name: 'Unsubscribe them too' })).toHaveLength(2);
});

test('one row is named as one', () => {
  show(listOf(['“status” says “subscribed”']));
  expect(screen.getByText('1 that isn’t unsubscribed in this table left out')).toBeDefined();
});

test('until a column is chosen, nothing else is asked', () => {
  show(listOf([UNDECIDED, UNDECIDED]));
  expect(screen.queryByRole('status')).toBeNull();
});

test('of a list with text that only a person understands, the text is quoted, and one button selects all', () => {
  const why = describeText(['Wszyscy oprócz ostatniego:']);
  show(listOf([why, why, why]));
  expect(screen.getByText('Read the text first: 3 not selected')).toBeDefined();
  expect(screen.getByText('The text says “Wszyscy oprócz ostatniego:”')).toBeDefined();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Choose', 'Select all 3']);
});
