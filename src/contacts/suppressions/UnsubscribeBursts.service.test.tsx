import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listUnsubscribeBursts } from '#contract/suppressions/unsubscribeBursts.ts';
import { must } from '#contract/values/must.ts';
import { sessionQuery } from '../../session/session.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { UnsubscribeBursts } from './UnsubscribeBursts.tsx';

const server = setUpTestServer();
const NAMES = ['ada', 'bob', 'cem', 'dee', 'eve'];

type Asked = Readonly<Record<string, string>>;

const burst = (names: readonly string[], asked: Asked = {}, again: Asked = {}) => ({
  domain: 'scanned.example',
  actor: { kind: 'token', uuid: null, name: 'links', email: null },
  from: '2026-11-30T08:00:00.000Z',
  to: '2026-11-30T08:00:04.000Z',
  contacts: names.map((name) => ({
    uuid: `00000000-0000-4000-8000-00000000000${NAMES.indexOf(name)}`,
    name,
    address: `${name}@scanned.example`,
    events_since: asked[name] === undefined ? [] : [asked[name]],
    ...(again[name] !== undefined && { again_at: again[name] }),
  })),
});

test.each([
  ['complained, so that it is no longer one of them', burst(NAMES.slice(0, 4)), 'eve'],
  ['had an event that asks for it', burst(NAMES, { eve: 'bounced' }), 'eve'],
  ['unsubscribed once more', burst(NAMES, {}, { eve: '2026-11-30T09:00:00.000Z' }), 'eve'],
])('somebody who %s while people were asked is left out, and one asks again', async (_, later, name) => {
  let now = burst(NAMES);
  const sent: string[] = [];
  server.answer((request, response) => {
    if (request.method === 'POST') sent.push(request.url ?? '');
    json({ data: request.method === 'POST' ? { uuid: 'u', attributes: {}, subscribed: true } : [now] })(
      request,
      response,
    );
  });
  const { client, user, show } = openPage(null);
  client.setQueryData(
    sessionQuery.queryKey,
    sessionWith({ capabilities: [listUnsubscribeBursts.id], workspace_uuid: 'w' }),
  );
  show(<UnsubscribeBursts />);
  await user.click(await screen.findByRole('button', { name: 'Review' }));
  now = later;
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Subscribe 5 again' }));
  await dialog.findByRole('button', { name: 'Subscribe 4 again' });
  expect(sent).toEqual([]);
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(name) }).checked).toBe(false);
  dialog.getByText('1 of them are no longer in this group');
  await user.click(dialog.getByRole('button', { name: 'Subscribe 4 again' }));
  await waitFor(() => expect(sent).toHaveLength(4));
});

test('somebody who unsubscribed once more is left out from the beginning, and it says when', async () => {
  server.answer(json({ data: [burst(NAMES, {}, { dee: '2026-01-30T09:00:00.000Z' })] }));
  const { client, user, show } = openPage(null);
  client.setQueryData(
    sessionQuery.queryKey,
    sessionWith({ capabilities: [listUnsubscribeBursts.id], workspace_uuid: 'w' }),
  );
  show(<UnsubscribeBursts />);
  await user.click(await screen.findByRole('button', { name: 'Review' }));
  const dialog = within(screen.getByRole('dialog'));
  dialog.getByRole('button', { name: 'Subscribe 4 again' });
  const dee = must(dialog.getAllByRole('listitem').find(({ textContent }) => textContent.startsWith('dee')));
  expect(within(dee).getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
  expect(dee.textContent).toMatch(/unsubscribed again .*Jan.*2026/);
});
