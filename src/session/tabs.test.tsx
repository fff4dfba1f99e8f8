import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SESSION_ELEMENT, type Session } from '#contract/session.ts';
import { sessionWith } from '../testing/testSession.ts';
import { endSession, sessionEnd, sessionProvider, sessionQuery, watchSession } from './session.ts';
import { useUnsavedDraft } from './unsavedDrafts.ts';

// What a tab knows of the others, and what it may lose to them.

const of = (uuid: string): Session =>
  sessionWith({ workspace_uuid: 'w', person: { uuid, name: null, email: `${uuid}@example.com` } });

/** That of the tab to the others. */
const channel = { onmessage: (_event: { data: string }) => {}, postMessage: (message: string) => said.push(message) };
let said: string[];
let client: QueryClient;
const before = sessionProvider.read();
const session = () => client.getQueryData(sessionQuery.queryKey);

beforeEach(() => {
  said = [];
  client = new QueryClient();
  vi.stubGlobal('BroadcastChannel', function connect() {
    return channel;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sessionProvider.write(before);
});

/** A page that the service has served with this session. */
function load(told: Session): void {
  vi.spyOn(window, 'addEventListener').mockReturnValue();
  vi.spyOn(document, 'addEventListener').mockReturnValue();
  const element = document.createElement('script');
  element.type = 'application/json';
  element.id = SESSION_ELEMENT;
  element.textContent = JSON.stringify({
    data: told,
    sign_in: { token: true, account: 'Acme ID', account_sign_out: null },
  });
  document.head.append(element);
  watchSession(client);
}

test('a page after a sign-in with an account makes other tabs reload the session', async () => {
  load(of('ann'));
  expect(said).toEqual(['page of a person']);

  client.setQueryData(['draft', 'contact c'], 'typed by Ann');
  let reads = 0;
  const answer = (now: Session) => sessionProvider.write({ ...before, read: async () => (reads++, now) });
  answer(of('ann'));
  channel.onmessage({ data: 'page of a person' });
  await expect.poll(() => reads).toBe(1);
  expect(client.getQueryData(['draft', 'contact c'])).toBe('typed by Ann');

  answer(of('bert'));
  channel.onmessage({ data: 'page of a person' });
  await expect.poll(session).toEqual(of('bert'));
  expect(client.getQueryData(['draft', 'contact c'])).toBeUndefined();
});

test('a page of a token sends no message: its sign-in did', () => {
  load(sessionWith({ workspace_uuid: 'w' }));
  expect(said).toEqual([]);
});

const mayLeave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('input in an open dialog is asked about, and reported as lost when the session ends', async () => {
  const open = () =>
    renderHook(() => useUnsavedDraft(true), {
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    });
  const { unmount } = open();
  expect(mayLeave()).toBe(false);
  unmount();
  expect(mayLeave()).toBe(true);

  client.setQueryData(sessionQuery.queryKey, of('ann'));
  open();
  endSession(client);
  await expect.poll(() => sessionEnd.read().hasLostDraft).toBe(true);
});
