import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '../testing/testPage.tsx';
import { createEntry } from './entry.ts';
import { EntryList } from './entryList.ts';
import { LeftOutNotices } from './LeftOutNotice.tsx';

/** Somebody whom a mail names that does not say who is meant. */
const named = (index: number, address: string, mail: number | null, repeats: number | null = null) =>
  createEntry({
    index,
    line: index + 1,
    text: address,
    as: address,
    values: [address],
    repeats,
    source: 'Text',
    mail,
    leftOut: 'Unclear who is meant. Tick the right one.',
  });

const ticked = (list: EntryList, index: number) => list.with([{ ...list.at(index)!, isTicked: true }]);

test('a mail that does not say who is meant is told of until somebody has chosen for it, also by who is named in another', () => {
  const entries = EntryList.of([
    named(0, 'jane@example.com', 0),
    named(1, 'bob@example.com', 0),
    named(2, 'eve@example.com', 1),
    named(3, 'max@example.com', 1),
    named(4, 'jane@example.com', 2, 1),
    named(5, 'lee@example.com', 2),
  ]);
  const page = openPage(<LeftOutNotices entries={entries} onShow={() => {}} />);
  expect(screen.getByText('3 messages do not say who is meant')).toBeDefined();
  const one = ticked(entries, 0);
  page.show(<LeftOutNotices entries={one} onShow={() => {}} />);
  expect(screen.getByText('1 message does not say who is meant')).toBeDefined();
  page.show(<LeftOutNotices entries={ticked(one, 3)} onShow={() => {}} />);
  expect(screen.queryByText(/say who is meant/)).toBeNull();
});
