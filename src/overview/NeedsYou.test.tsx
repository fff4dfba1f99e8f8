import { cleanup, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openPage } from '../testing/testPage.tsx';
import { NeedsYou } from './NeedsYou.tsx';

afterEach(cleanup);

type Props = ComponentProps<typeof NeedsYou>;

/** The service counts the people that a complaint unsubscribed, not complaints of people who were unsubscribed before. */
test('more complaints than usual are counted in people unsubscribed', () => {
  const none = { today: 0, before: [] };
  const overview: Props['overview'] = {
    contacts: { total: 9, subscribed: 9 },
    unsubscribes: { total: 0, by: [], days: [] },
    today: { unsubscribed: none, reasons: [{ reason: 'complaint', today: 12, before: [3, 3, 3, 3] }] },
    changes: [],
    has_more_changes: false,
  };
  const failing = {
    data: { data: [], meta: { total: 0 } },
    isLoading: false,
    isError: false,
  } as unknown as Props['failing'];
  openPage(<NeedsYou failing={failing} bursts={[]} overview={overview} />);
  screen.getByRole('heading', { name: 'More unsubscribes for spam complaints than usual' });
  expect(screen.getByRole('row', { name: /Spam complaints/ }).textContent).toBe(
    'Spam complaints12 people today, usually 3 by now',
  );
});
