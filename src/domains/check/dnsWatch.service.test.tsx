import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionQuery } from '../../session/session.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { ToastPlace } from '../../ui/ToastPlace.tsx';
import { domainWith, createCompletionLine, createRecordLine, streamLines } from '../../testing/testCheck.ts';
import { startWatch, stopWatch, useWatch } from './dnsWatch.tsx';
import { sessionWith } from '../../testing/testSession.ts';

const HOUR = 3_600_000;
const domain = domainWith({ type: 'TXT', name: 'x.test', value: 'a', is_valid: false });
const wrong = (againIn = 30) =>
  streamLines(createRecordLine(domain, 0, { result: 'pending' }), createCompletionLine(domain, againIn));
const right = streamLines(createRecordLine(domain, 0, { result: 'ok' }), createCompletionLine(domain, 0));

const server = setUpTestServer();
// Time passes by itself, so that responses arrive, and jumps where a test says so.
beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

function State() {
  const watch = useWatch(domain.uuid);
  return <p>{watch === null ? 'nobody watches' : `now ${watch.now}`}</p>;
}

/** A signed-in user watches the domain. */
function watched() {
  const { client } = openPage(
    <>
      <State />
      <ToastPlace />
      <p id="announcements" />
    </>,
  );
  client.setQueryData(sessionQuery.queryKey, sessionWith());
  startWatch(client, domain);
  return { client, [Symbol.dispose]: () => stopWatch(client, domain.uuid) };
}

test('it asks no sooner than the service allows, and says when all is right', async () => {
  server.answer(wrong(300));
  using _ = watched();
  await screen.findByText('now waiting');
  await pass(295_000);
  expect(server.received).toHaveLength(1);
  server.answer(right);
  await pass(10_000);
  await screen.findByText('now done');
  expect(screen.getByRole('group', { name: 'Just done' }).textContent).toContain('mail.x.test All DNS records are OK.');
  await pass(HOUR);
  expect(server.received).toHaveLength(1);
});

test('a screen reader announces the start and what changes, not every check', async () => {
  server.answer(wrong());
  using _ = watched();
  const region = document.querySelector('#announcements')!;
  expect(region.textContent).toBe('Watching mail.x.test: checking');
  await screen.findByText('now waiting');
  expect(region.textContent).toMatch(/^Watching mail\.x\.test; next check at \d\d:\d\d:\d\d\. 1 propagating\.$/);

  region.textContent = '';
  await pass(31_000);
  await vi.waitFor(() => expect(server.received).toHaveLength(2), 10_000);
  await screen.findByText('now waiting');
  expect(region.textContent).toBe('');

  server.answer(streamLines(createRecordLine(domain, 0, { result: 'fail' }), createCompletionLine(domain)));
  await pass(31_000);
  await vi.waitFor(() => expect(region.textContent).toContain('1 needs fixing.'), 10_000);
  server.answer(json({}, 503));
  await pass(31_000);
  await vi.waitFor(() => expect(region.textContent).not.toContain('1 needs fixing.'), 10_000);
  expect(region.textContent).toMatch(/^Watching mail\.x\.test; next check at /);
});

test.each([
  [Number.MAX_SAFE_INTEGER, HOUR],
  [0, 9000],
])('a service that allows it after %d seconds is not asked before %d ms', async (againIn, after) => {
  server.answer(wrong(againIn));
  const begun = Date.now();
  using _ = watched();
  await screen.findByText('now waiting');
  // Some of the time has passed by itself.
  await pass(Math.max(0, begun + after - Date.now()));
  expect(server.received).toHaveLength(1);
});

test('a failure that passes does not end it, another does, with a sentence', async () => {
  server.answer(json({}, 503));
  using _ = watched();
  await screen.findByText('now waiting');
  server.answer(json({}, 403));
  await pass(31_000);
  await screen.findByText('nobody watches');
  expect(screen.getByRole('group', { name: 'Just done' }).textContent).toContain(
    'Stopped watching. The service does not allow this.',
  );
});

test('it ends with the session', async () => {
  server.answer(wrong());
  using watch = watched();
  await screen.findByText('now waiting');
  watch.client.setQueryData(sessionQuery.queryKey, null);
  await screen.findByText('nobody watches');
  await pass(HOUR);
  expect(server.received).toHaveLength(1);
});
