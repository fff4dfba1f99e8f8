import { act, cleanup, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import { listChanges } from '#contract/auditLog.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { RUN_HEADER } from '#contract/openapi/endpoint.ts';
import { UUID } from '#contract/values/field.ts';
import { endSession, sessionQuery } from '../session/session.ts';
import { openPage } from '../testing/testPage.tsx';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { sessionWith } from '../testing/testSession.ts';
import { createDraft, parseDraft } from './attributes/attributeChanges.ts';
import { dropDraft, keepDraft, readKeptDraft } from './attributes/attributeDrafts.ts';
import { useUpdateContact } from './mutations.ts';
import { contactQuery } from './queries.ts';
import { answeredUnsubscribeQuery } from './timeline/historyQueries.ts';
import { useUnsubscribe } from './unsubscribe/useUnsubscribe.ts';

const server = setUpTestServer();
const JANE = '00000000-0000-4000-8000-000000000001';
const BOB = '00000000-0000-4000-8000-000000000002';

const unsubscribed = json({ data: { uuid: JANE, subscribed: false, attributes: {} } }, 200, { 'x-request-id': 'done' });
const paths = () => server.received.map(({ path }) => path);

function One() {
  const unsubscribe = useUnsubscribe([{ contact: JANE, name: 'Jane', address: '' }]);
  return (
    <button type="button" onClick={() => unsubscribe.mutate({ workspace: 'w', body: undefined })}>
      {{ idle: 'Unsubscribe', pending: 'Unsubscribing', success: 'Done', error: 'Failed' }[unsubscribe.status]}
    </button>
  );
}

function Several() {
  const { mutate } = useUnsubscribe([
    { contact: JANE, name: 'Jane', address: '' },
    { contact: BOB, name: 'Bob', address: '' },
  ]);
  return (
    <button type="button" onClick={() => mutate({ workspace: 'w', body: undefined })}>
      Unsubscribe
    </button>
  );
}

const SESSION = sessionWith();

/** The page for a signed-in user. */
function open(shown: ReactNode, session = SESSION) {
  const page = openPage(null);
  page.client.setQueryData(sessionQuery.queryKey, session);
  page.show(shown);
  return page;
}

// No pause before a retry, but for what the service asks for.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

test('a contact that is done is not sent again with the others', async () => {
  server.answer((request, response) => (request.url?.includes(BOB) ? json({}, 404) : unsubscribed)(request, response));
  const { user } = open(<Several />);
  for (const count of [2, 3]) {
    await user.click(screen.getByRole('button'));
    await expect.poll(() => paths().length).toBe(count);
  }
  expect(paths().filter((path) => path.includes(JANE))).toHaveLength(1);
});

test('an answer that was lost counts for the unsubscribe that it belongs to, and not for the next', async () => {
  server.answer((request, response) =>
    server.received.length === 1 ? response.destroy() : unsubscribed(request, response),
  );
  const { client, user } = open(<One />);
  const answered = () => client.getQueryData(answeredUnsubscribeQuery(JANE).queryKey);
  await user.click(screen.getByRole('button'));
  await expect.poll(answered).toEqual({ requestId: 'done', isRepeat: true });
  await screen.findByText('Done');
  await user.click(screen.getByRole('button'));
  await expect.poll(answered).toEqual({ requestId: 'done', isRepeat: false });
});

const runs = () => server.received.map(({ headers }) => headers[RUN_HEADER]);
test.each([
  ['several', <Several key="several" />, 2],
  ['one', <One key="one" />, 1],
])('what is sent to unsubscribe %s is a run where the log has runs, and only there', async (_, page, count) => {
  for (const capabilities of [[], [listChanges.id]]) {
    server.answer(unsubscribed);
    const { client, user } = open(page, sessionWith({ capabilities }));
    await user.click(screen.getByRole('button'));
    await expect.poll(runs).toHaveLength(count);
    const run = capabilities.length === 0 ? undefined : (expect.stringMatching(UUID) as string);
    expect(runs()).toEqual(Array.from({ length: count }, () => run));
    expect(new Set(runs()).size).toBe(1);
    await expect.poll(() => client.isMutating()).toBe(0);
    cleanup();
  }
});

test('one of several contacts that was refused after a lost answer, and is asked for once more, may have been done before', async () => {
  server.answer((request, response) =>
    server.received.length === 1 ? response.destroy() : json({}, 403)(request, response),
  );
  const { client, user } = open(<Several />);
  const status = () => client.getMutationCache().getAll().at(-1)?.state.status;
  await user.click(screen.getByRole('button'));
  await expect.poll(status).toBe('error');
  server.answer((request, response) => {
    const uuid = request.url?.includes(BOB) ? BOB : JANE;
    json({ data: { uuid, subscribed: false, attributes: {} } }, 200, { 'x-request-id': 'done' })(request, response);
  });
  await user.click(screen.getByRole('button'));
  const answered = (contact: string) => client.getQueryData(answeredUnsubscribeQuery(contact).queryKey);
  await expect.poll(() => answered(BOB)).toEqual({ requestId: 'done', isRepeat: false });
  expect(answered(JANE)).toEqual({ requestId: 'done', isRepeat: true });
});

test.each([
  ['one contact', <One key="one" />],
  ['several contacts', <Several key="several" />],
])(
  'a sign-out while an unsubscribe of %s waits for a retry leaves nothing for the next user to send',
  async (_, page) => {
    server.answer(json({}, 503, { 'retry-after': '1' }));
    const { client, user } = open(page);
    await user.click(screen.getByRole('button'));
    await expect.poll(paths).toHaveLength(1);
    const [mutation] = client.getMutationCache().getAll();
    expect(mutation?.state.status).toBe('pending');
    await act(async () => endSession(client));
    await expect.poll(() => client.isMutating({ mutationKey: [unsubscribeContact.id] })).toBe(0);
    server.answer(unsubscribed);
    await expect.poll(() => mutation?.state.status, { timeout: 10_000 }).not.toBe('pending');
    expect(paths()).toEqual([]);
  },
);

test('the record that was asked for before an unsubscribe does not take the place of its answer', async () => {
  const done = Promise.withResolvers<void>();
  server.answer((request, response) => {
    if (request.method === 'POST') return unsubscribed(request, response);
    const before = json({ data: { uuid: JANE, subscribed: true, attributes: {} } });
    void done.promise.then(() => before(request, response));
  });
  const { client, user } = open(<One />);
  const asked = client.query(contactQuery(JANE)).catch(() => null);
  await expect.poll(paths).toHaveLength(1);
  await user.click(screen.getByRole('button'));
  await screen.findByText('Done');
  done.resolve();
  await asked;
  expect(client.getQueryData(contactQuery(JANE).queryKey)?.data.subscribed).toBe(false);
});

function Save() {
  const update = useUpdateContact(JANE, () => {});
  return (
    <button type="button" onClick={() => update.mutate({ first_name: 'Ann' })}>
      {update.status}
    </button>
  );
}

test.each([
  ['nothing', 'Doe', null],
  ['what was typed since', 'Roe', [{ key: 'last_name', before: 'Doe', after: 'Roe' }]],
])('of the draft of a page that was left while it is saved there is left: %s', async (_, lastName, left) => {
  const saved = { first_name: 'Ann', last_name: 'Doe' };
  server.answer(json({ uuid: JANE, subscribed: true, attributes: saved }));
  const { client, user } = open(<Save />);
  const lines = createDraft({ first_name: 'Ann', last_name: lastName });
  keepDraft(client, JANE, { base: undefined, lines, conflicts: [], sent: { first_name: 'Ann' } });
  await user.click(screen.getByRole('button'));
  await screen.findByText('success');
  const draft = readKeptDraft(client, JANE);
  expect(draft && parseDraft(draft.base?.attributes ?? {}, draft.lines).changes).toEqual(left);
  dropDraft(client, JANE);
});
