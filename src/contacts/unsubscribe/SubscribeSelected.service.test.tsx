import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { sessionQuery } from '../../session/session.ts';
import { logOf } from '../../testing/testEntry.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { SelectedActions } from './SelectedActions.tsx';

// Who of a selection is subscribed again: after a complaint or for a legal reason, only an admin can do it.

const server = setUpTestServer();

/** By contact: why it's unsubscribed; null if nobody said. */
type Reasons = readonly (string | null)[];

const uuidOf = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;
const lineOf = (index: number) => `11111111-0000-4000-8000-00000000000${index}`;
const personOf = (_: unknown, index: number): ReadableContact => ({
  uuid: uuidOf(index),
  subscribed: false,
  attributes: { email: `person${index}@example.com` },
  provider: null,
  created_at: null,
  updated_at: null,
});

/** Selects them as a member of this role, and asks to subscribe them again. Requests for `refused` get a 409. */
async function ask(role: string, reasons: Reasons, refused: number | null = null) {
  const sent: string[] = [];
  const seen: unknown[] = [];
  server.answer((request, response) => {
    const index = Number(/-00000000000(\d)\//.exec(request.url ?? '')?.[1]);
    if (request.method === 'POST') {
      sent.push(uuidOf(index));
      seen.push((JSON.parse(server.received.at(-1)?.body ?? '') as { seen?: string }).seen);
      if (index === refused)
        return json({ title: 'Conflict', detail: 'Somebody unsubscribed this contact since.' }, 409)(request, response);
    }
    if (request.method === 'GET' && reasons[index] === 'broken')
      return json({ title: 'Not now' }, 500)(request, response);
    const { data, meta } = logOf([{ id: 'r' }]);
    const suppression = { reason: reasons[index] ?? null, ticket: null, origin: 'support' };
    const body =
      request.method === 'POST'
        ? { data: { ...personOf(null, index), subscribed: true } }
        : { data: data.map((line) => ({ ...line, uuid: lineOf(index), suppression })), meta };
    json(body)(request, response);
  });
  const { client, user, show } = openPage(null);
  const capabilities = [subscribeContact.id, listContactChanges.id];
  client.setQueryData(sessionQuery.queryKey, sessionWith({ role, capabilities, workspace_uuid: 'w' }));
  show(<SelectedActions selected={reasons.map(personOf)} onDeselect={() => undefined} />);
  await user.click(screen.getByRole('button', { name: `Subscribe ${reasons.length} again` }));
  return { user, sent, seen, dialog: within(screen.getByRole('dialog')) };
}

test('support is told before who is left out, and only the others are subscribed', async () => {
  const { user, sent, dialog } = await ask('support', ['complaint', null, 'bounce', 'complaint']);
  await dialog.findByText(
    /^2 of 4 were unsubscribed after a complaint: only an admin can subscribe them again\. 2 will be subscribed\.$/,
  );
  dialog.getByRole('heading', { name: 'Subscribe 2 contacts again?' });
  await user.type(dialog.getByLabelText(/^Reason/), 'By mistake');
  await user.click(dialog.getByRole('button', { name: 'Subscribe again' }));
  await waitFor(() => expect(sent).toEqual([uuidOf(1), uuidOf(2)]));
});

test('nobody is subscribed if all need an admin, whatever the reasons', async () => {
  const { sent, dialog } = await ask('support', ['complaint', 'legal']);
  await dialog.findByText(
    /^2 of 2 were unsubscribed after a complaint or for a legal reason: only an admin .* No one will be subscribed\.$/,
  );
  expect(dialog.queryByLabelText(/^Reason/)).toBeNull();
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Subscribe again' }).disabled).toBe(true);
  expect(sent).toEqual([]);
});

test('an admin gives a reason, and subscribes all', async () => {
  const { user, sent, dialog } = await ask('admin', ['complaint', null]);
  expect(dialog.queryByText(/only an admin/)).toBeNull();
  await user.type(dialog.getByLabelText(/^Reason/), 'They asked for it');
  await user.click(dialog.getByRole('button', { name: 'Subscribe again' }));
  await waitFor(() => expect(sent).toEqual([uuidOf(0), uuidOf(1)]));
});

test('each is subscribed as the user has seen it, and who was unsubscribed meanwhile is left out and named', async () => {
  const { user, seen, dialog } = await ask('admin', [null, null, null], 1);
  await user.type(await dialog.findByLabelText(/^Reason/), 'By mistake');
  await user.click(dialog.getByRole('button', { name: 'Subscribe again' }));
  await dialog.findByText(/^2 of 3 contacts are subscribed again/);
  dialog.getByText(/was not subscribed again/);
  dialog.getByText(/Somebody unsubscribed this contact since\.$/);
  expect(seen).toEqual([lineOf(0), lineOf(1), lineOf(2)]);
});

test('nobody is subscribed whose log could not be read', async () => {
  const { sent, dialog } = await ask('admin', ['broken']);
  await dialog.findByRole('button', { name: 'Try again' });
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Subscribe again' }).disabled).toBe(true);
  expect(sent).toEqual([]);
});
