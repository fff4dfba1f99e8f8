import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listUnsubscribeBursts } from '#contract/suppressions/unsubscribeBursts.ts';
import { must } from '#contract/values/must.ts';
import { listContactChanges } from '#contract/change.ts';
import { logOf } from '../../testing/testEntry.ts';
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

async function review(...more: string[]) {
  const { client, user, show } = openPage(null);
  const capabilities = [listUnsubscribeBursts.id, ...more];
  client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities, workspace_uuid: 'w' }));
  show(<UnsubscribeBursts />);
  await user.click(await screen.findByRole('button', { name: 'Review' }));
  return { user, dialog: within(screen.getByRole('dialog')) };
}

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
  const { user, dialog } = await review();
  now = later;
  await user.click(dialog.getByRole('button', { name: 'Subscribe 5 again' }));
  await dialog.findByRole('button', { name: 'Subscribe 4 again' });
  expect(sent).toEqual([]);
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(name) }).checked).toBe(false);
  dialog.getByText('1 of them are no longer in this group');
  await user.click(dialog.getByRole('button', { name: 'Subscribe 4 again' }));
  await waitFor(() => expect(sent).toHaveLength(4));
});

test('after a lost connection the next try takes the rest, though they are no group any more', async () => {
  let isLost = true;
  const sent: unknown[] = [];
  server.answer((request, response) => {
    const url = request.url ?? '';
    const uuid = /[\d-]{35}\d/.exec(url)?.[0] ?? '';
    if (request.method === 'POST') {
      if (isLost && sent.length === 3) return void response.destroy();
      sent.push([uuid, (JSON.parse(server.received.at(-1)?.body ?? '') as { seen?: string }).seen]);
      return json({ data: { uuid, attributes: {}, subscribed: true } })(request, response);
    }
    const { data, meta } = logOf([{ id: 'r' }]);
    const log = { data: data.map((line) => ({ ...line, uuid: uuid.replace(/^0{8}/, '11111111') })), meta };
    json(url.endsWith('-bursts') ? { data: sent.length === 0 ? [burst(NAMES)] : [] } : log)(request, response);
  });
  const { user, dialog } = await review(listContactChanges.id);
  await waitFor(() =>
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Subscribe 5 again' }).disabled).toBe(false),
  );
  await user.click(dialog.getByRole('button', { name: 'Subscribe 5 again' }));
  await dialog.findByText(/^3 of 5 people are subscribed again/);
  dialog.getByText(/may not have been subscribed again/);
  isLost = false;
  await user.click(dialog.getByRole('button', { name: 'Subscribe 2 again' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const uuids = NAMES.map((_, index) => `0000-4000-8000-00000000000${index}`);
  expect(sent).toEqual(uuids.map((rest) => [`00000000-${rest}`, `11111111-${rest}`]));
});

test('somebody who unsubscribed once more is left out from the beginning, and it says when', async () => {
  server.answer(json({ data: [burst(NAMES, {}, { dee: '2026-01-30T09:00:00.000Z' })] }));
  const { dialog } = await review();
  dialog.getByRole('button', { name: 'Subscribe 4 again' });
  const dee = must(dialog.getAllByRole('listitem').find(({ textContent }) => textContent.startsWith('dee')));
  expect(within(dee).getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
  expect(dee.textContent).toMatch(/unsubscribed again .*Jan.*2026/);
});
