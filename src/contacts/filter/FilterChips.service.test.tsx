import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ReadableContact } from '#contract/contact.ts';
import { listEventNames } from '#contract/eventNames.ts';
import { sessionQuery } from '../../session/session.ts';
import { useListState } from '../../table/useList.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { CONTACT_LIST } from '../useContactFilter.ts';
import { FilterChips } from './FilterChips.tsx';

const server = setUpTestServer();
const CONTACT = { uuid: 'c', attributes: { plan: 'free' } } as unknown as ReadableContact;

function Page({ contacts }: { contacts: readonly ReadableContact[] }) {
  const list = useListState(CONTACT_LIST);
  const filter = String(list.state.filters['filter'] ?? '');
  return (
    <FilterChips list={list} filter={filter} onChange={(next) => list.filter({ filter: next })} contacts={contacts} />
  );
}

function open(filter: string, contacts: readonly ReadableContact[] = [CONTACT]) {
  server.answer(json({ data: ['bounced', 'opened'] }));
  const { client, user, show } = openPage(null, `/?filter=${encodeURIComponent(filter)}`);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities: [listEventNames.id] }));
  show(<Page contacts={contacts} />);
  return user;
}

test.each([
  ['-event:bouncd within:30d', 'No event is named bouncd', 'Use bounced', '-event:bounced within:30d'],
  [
    'subscribed -plann:enterprise',
    'No contact on this page has the attribute plann',
    'Use plan',
    'subscribed -plan:enterprise',
  ],
  ['-"plann":>3', 'No contact on this page has the attribute plann', 'Use plan', '-plan:>3'],
])('what everybody meets because a name is misspelt is said: %s', async (filter, words, use, right) => {
  const user = open(filter);
  await user.click(await screen.findByRole('button', { name: use }));
  expect(screen.queryByText(words)).toBeNull();
  expect(new URLSearchParams(location.search).get('filter')).toBe(right);
});

test.each(['-event:bounced', 'event:bouncd', '-plan:free', 'plann:free', '-seats:3'])(
  'nothing is said of %s',
  async (filter) => {
    open(filter);
    await expect.poll(() => server.received.length >= (filter.startsWith('-event') ? 1 : 0)).toBe(true);
    expect(screen.queryByRole('status')).toBeNull();
  },
);
