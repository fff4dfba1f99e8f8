import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Unsubscription } from '#contract/suppressions/suppression.ts';
import type { CompletedUnsubscribe } from '../../identity/unsubscribe.ts';
import { endSession, sessionQuery } from '../../session/session.ts';
import { logOf } from '../../testing/testEntry.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { ToastPlace } from '../../ui/ToastPlace.tsx';
import { offerUndo } from './UndoUnsubscribe.tsx';

// What is said of several contacts after an unsubscribe, and whether it can be undone.

const server = setUpTestServer();
const JANE = '00000000-0000-4000-8000-000000000001';
const BOB = '00000000-0000-4000-8000-000000000002';

type Logged = { request_id: string | null; run?: string; why?: string };

/** By contact: the change that its log has as the last. */
function serve(last: Record<string, Logged>): void {
  server.answer((request, response) => {
    const [, contact = ''] = /contacts\/([^/]+)\/changes/.exec(request.url ?? '') ?? [];
    const { request_id = null, run = null, why = null } = last[contact] ?? {};
    const { data, meta } = logOf([{ id: request_id, ...(run !== null && { run }) }]);
    const suppression = why === null ? null : { reason: why, ticket: null, origin: 'support' };
    json({ data: data.map((line) => ({ ...line, suppression })), meta })(request, response);
  });
}

const done = (
  uuid: string,
  {
    isRepeat = true,
    run,
    requestId = 'answered',
  }: { isRepeat?: boolean; run?: string; requestId?: string | null } = {},
): CompletedUnsubscribe => ({
  contact: { uuid, subscribed: false, attributes: {}, created_at: null, updated_at: null, provider: null },
  requestId,
  isRepeat,
  run,
});

async function offer(
  several: CompletedUnsubscribe[],
  said?: Unsubscription,
  role: string | null = null,
): Promise<string | null> {
  const { client } = openPage(<ToastPlace />);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ role }));
  await offerUndo(client, several, { workspace: 'w', said });
  return (await screen.findByRole('group', { name: 'Just done' })).textContent;
}

test('contacts whose answers were lost can be subscribed again where the log has them in the run', async () => {
  serve({ [JANE]: { request_id: 'lost', run: 'ours' }, [BOB]: { request_id: 'lost too', run: 'ours' } });
  expect(await offer([done(JANE, { run: 'ours' }), done(BOB, { run: 'ours' })])).toBe(
    '2 contacts are unsubscribed.Undo',
  );
});

test.each([
  ['complaint', 'support', '. After a complaint, subscribing again needs the role Admin; yours is Support.'],
  ['legal', 'support', '. After a legal reason, subscribing again needs the role Admin; yours is Support.'],
  ['complaint', 'admin', '.Undo'],
  ['bounce', 'support', '.Undo'],
] as const)('after %s, %s is offered what the service allows', async (why, role, end) => {
  serve({ [JANE]: { request_id: 'answered', why }, [BOB]: { request_id: 'answered', why } });
  expect(await offer([done(JANE), done(BOB)], { reason: why }, role)).toBe(`2 contacts are unsubscribed${end}`);
});

test.each([
  ['has no runs', undefined],
  ['has them in another run', 'theirs'],
])('where an answer was lost and the log %s, nobody is said to have done it', async (_, run) => {
  serve({ [JANE]: { request_id: 'who knows', ...(run && { run }) }, [BOB]: { request_id: 'theirs' } });
  const own = run && { run: 'ours' };
  expect(await offer([done(JANE, { ...own }), done(BOB, { isRepeat: false, ...own })])).toBe(
    '2 contacts are unsubscribed.',
  );
});

test('where each was answered at once and the log has other requests, nothing was changed', async () => {
  serve({ [JANE]: { request_id: 'theirs' }, [BOB]: { request_id: 'theirs' } });
  const answered = { isRepeat: false, run: 'ours' };
  expect(await offer([done(JANE, answered), done(BOB, answered)])).toBe(
    '2 contacts were already unsubscribed. Nothing was changed.',
  );
});

test.each([
  [{ ticket: 'HD-1' }, 'Your ticket wasn’t recorded.'],
  [{ reason: 'request' }, 'Your reason wasn’t recorded.'],
  [{ ticket: 'HD-1', reason: 'request' }, 'Your ticket and reason weren’t recorded.'],
] as const)('where a colleague was faster, what was not recorded is named: %j', async (said, words) => {
  serve({ [JANE]: { request_id: 'theirs' } });
  const answered = { isRepeat: false, run: 'ours' };
  expect(await offer([done(JANE, answered)], said)).toBe(`${JANE} was already unsubscribed. ${words}`);
});

test('where a colleague was faster with one of several, the others can be undone', async () => {
  serve({ [JANE]: { request_id: 'theirs' }, [BOB]: { request_id: 'answered' } });
  const answered = { isRepeat: false, run: 'ours' };
  expect(await offer([done(JANE, answered), done(BOB, answered)], { ticket: 'HD-1' })).toBe(
    `${BOB} is unsubscribed.Undo${JANE} was already unsubscribed. Your ticket wasn’t recorded.`,
  );
});

test('what was said is not called recorded where the log does not say so', async () => {
  serve({ [JANE]: { request_id: 'theirs' } });
  expect(await offer([done(JANE, { run: 'ours' })], { ticket: 'HD-1' })).toBe(
    `${JANE} is unsubscribed. Couldn’t confirm that your ticket was recorded.`,
  );
});

test('a contact unsubscribed by an import, which has no request ID, is not resubscribed if the response had none', async () => {
  serve({ [JANE]: { request_id: null } });
  const answered = { isRepeat: false, run: 'ours', requestId: null };
  expect(await offer([done(JANE, answered), done(BOB, answered)])).toBe(
    '2 contacts were already unsubscribed. Nothing was changed.',
  );
});

test('a sign-out while the log is read leaves no notice for the next user', async () => {
  server.answer(() => {});
  const { client } = openPage(<ToastPlace />);
  const offering = offerUndo(client, [done(JANE), done(BOB)], { workspace: 'w' });
  await expect.poll(() => server.received.length).toBe(1);
  endSession(client);
  await offering;
  expect(screen.queryByRole('group', { name: 'Just done' })).toBeNull();
  expect(server.received).toHaveLength(1);
});

test('an undo names the unsubscribe that it undoes, and is refused if somebody unsubscribed them since', async () => {
  serve({ [JANE]: { request_id: 'answered' } });
  const { client, user } = openPage(<ToastPlace />);
  client.setQueryData(sessionQuery.queryKey, sessionWith());
  await offerUndo(client, [done(JANE)], { workspace: 'w' });
  const detail = 'Somebody unsubscribed this contact since you looked.';
  server.answer(json({ detail, status: 409, title: 'Conflict' }, 409));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect((await screen.findByRole('alert')).textContent).toContain(detail);
  const { data } = logOf([{ id: 'answered' }]);
  expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ seen: data[0]?.uuid });
});

test('an undo that fails says so where it was asked for, and can be tried again', async () => {
  serve({ [JANE]: { request_id: 'answered' } });
  const { client, user } = openPage(<ToastPlace />);
  client.setQueryData(sessionQuery.queryKey, sessionWith());
  await offerUndo(client, [done(JANE)], { workspace: 'w' });
  server.answer(json({}, 503));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The service could not do this (503).');
  server.answer(json({ data: { uuid: JANE, subscribed: true, attributes: {} } }));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText(/subscribed again/);
});
