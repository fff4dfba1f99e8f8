import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getRetention } from '#contract/retention.ts';
import { sessionQuery } from '../session/session.ts';
import { openPage } from '../testing/testPage.tsx';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { sessionWith } from '../testing/testSession.ts';
import { DeletedNote } from './DeletedNote.tsx';

const server = setUpTestServer();

function open(of: 'contact' | 'log', data: object) {
  server.answer(json({ data }));
  const { client, show } = openPage(null);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities: [getRetention.id] }));
  show(<DeletedNote of={of} />);
}

const at = (day: string) => ({ days: 365, deleted_before: `${day}T00:00:00.000Z` });

test.each([
  [
    'contact',
    0,
    'Events before 30 Nov 2024 were deleted. Changes before 29 Nov 2019 were deleted, except those since the contact was last unsubscribed or subscribed again.',
  ],
  [
    'log',
    0,
    'Events are deleted after 365 days, log entries after 365 days. Entries before 29 Nov 2019 were deleted. Runs',
  ],
  [
    'log',
    1200,
    'Events are deleted after 365 days, log entries after 365 days. Entries before 29 Nov 2019 were deleted, except 1,200 that are still needed. Runs',
  ],
] as const)('of the %s it says before what days rows were deleted', async (of, kept, words) => {
  open(of, { events: at('2024-11-30'), log: { ...at('2019-11-29'), kept } });
  expect((await screen.findByText(/were deleted/)).textContent).toBe(words);
});

const onlySet = (days: number | null) => ({ days, deleted_before: null });

test.each([
  [1000, null, 'Events are deleted after 1,000 days. Runs'],
  [null, 90, 'Log entries are deleted after 90 days. Runs'],
])('before its first run the log says what is set: %j and %j days', async (events, log, words) => {
  open('log', { events: onlySet(events), log: { ...onlySet(log), kept: 0 } });
  expect((await screen.findByText(/are deleted/)).textContent).toBe(words);
  expect(screen.getByRole('link', { name: 'Runs' }).getAttribute('href')).toBe('/activity?action=retention_end');
});

test('another service may say less', async () => {
  open('contact', { events: { deleted_before: '2024-11-30T00:00:00Z' } });
  expect((await screen.findByText(/were deleted/)).textContent).toBe('Events before 30 Nov 2024 were deleted.');
});
