import { cleanup, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openPage } from '../testing/testPage.tsx';
import { NeedsYou } from './NeedsYou.tsx';

afterEach(cleanup);

type Props = ComponentProps<typeof NeedsYou>;

const none = { today: 0, before: [] };
const OVERVIEW: Props['overview'] = {
  contacts: { total: 9, subscribed: 9 },
  unsubscribes: { total: 0, by: [], days: [] },
  today: { unsubscribed: none, reasons: [] },
  changes: [],
  has_more_changes: false,
};
const failing = {
  data: { data: [], meta: { total: 0 } },
  isLoading: false,
  isError: false,
} as unknown as Props['failing'];

/** The service counts the people that a complaint unsubscribed, not complaints of people who were unsubscribed before. */
test('more complaints than usual are counted in people unsubscribed', () => {
  const reasons = [{ reason: 'complaint', today: 12, before: [3, 3, 3, 3] }];
  const overview = { ...OVERVIEW, today: { unsubscribed: none, reasons } };
  openPage(<NeedsYou failing={failing} bursts={[]} runs={undefined} overview={overview} />);
  screen.getByRole('heading', { name: 'More unsubscribes for spam complaints than usual' });
  expect(screen.getByRole('row', { name: /Spam complaints/ }).textContent).toBe(
    'Spam complaints12 people today, usually 3 by now',
  );
});

test.each([
  [{ to_approve: 1, unfinished: 0 }, 'Bulk runs wait for approval', ['Runs to approve1 waiting for a second person']],
  [
    { to_approve: 2, unfinished: 1 },
    'Bulk runs wait for approval',
    ['Runs to approve2 waiting for a second person', 'Unfinished runs1 of the last 30 days'],
  ],
  [{ to_approve: 0, unfinished: 1200 }, 'Bulk runs aren’t finished', ['Unfinished runs1,200 of the last 30 days']],
  [{ to_approve: 0, unfinished: 0 }, 'Nothing needs you', []],
])('%o are runs that need somebody, and link to the page Runs', (runs, heading, lines) => {
  openPage(<NeedsYou failing={failing} bursts={[]} runs={runs} overview={OVERVIEW} />);
  screen.getByRole('heading', { name: heading });
  expect(screen.queryAllByRole('row').map(({ textContent }) => textContent)).toEqual(lines);
  for (const link of screen.queryAllByRole('link')) expect(link.getAttribute('href')).toBe('/runs');
});
