import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Session } from '#contract/session.ts';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { closeSession, recheckSession, rememberWorkspace, sessionQuery, openSession } from './session.ts';
import { sessionWith } from '../testing/testSession.ts';

const SESSION = sessionWith({ name: 'Acme', capabilities: ['listContacts'] });
const SIGN_IN = { token: false, account: 'Acme ID', account_sign_out: null };

const server = setUpTestServer();
let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, null);
  client.setQueryData(['a contact'], 'of somebody else');
});

const stillSignedIn = () => expect.unreachable('what the browser keeps is kept while signed in');
const session = () => client.getQueryData(sessionQuery.queryKey);
const known = () => [session(), client.getQueryData(['a contact'])];

describe('signing in', () => {
  test('opens a session and forgets what the one before had read', async () => {
    server.answer(json({ data: SESSION }));
    await openSession(client, { token: 's3cret', workspace: 'w' });
    expect(server.received).toMatchObject([
      { method: 'POST', path: '/session', body: '{"token":"s3cret","workspace":"w"}' },
    ]);
    expect(session()).toEqual(SESSION);
    expect(client.getQueryData(['a contact'])).toBeUndefined();
  });

  test('forgets what the page has read for the one before', async () => {
    server.answer(json({ data: SESSION }));
    const control = new AbortController();
    globalThis.sendroomFirstRead = { address: '/v1/domains', response: Promise.resolve(new Response()), control };
    await openSession(client, { token: 's3cret' });
    expect(globalThis.sendroomFirstRead).toBeUndefined();
    expect(control.signal.aborted).toBe(true);
  });

  test('outlasts an older, late response', async () => {
    client.removeQueries({ queryKey: sessionQuery.queryKey });
    const { promise: opened, resolve: isOpen } = Promise.withResolvers<void>();
    server.answer((request, response) => {
      if (request.method === 'POST') json({ data: SESSION })(request, response);
      else void opened.then(() => json({ data: null, sign_in: SIGN_IN })(request, response));
    });
    const asked = client.query(sessionQuery).catch(() => undefined);
    await openSession(client, { code: 'c' });
    isOpen();
    await asked;
    expect(session()).toEqual(SESSION);
  });

  test('that fails changes nothing', async () => {
    server.answer(json({}, 401));
    await expect(openSession(client, { code: 'used' })).rejects.toMatchObject({ status: 401 });
    expect(known()).toEqual([null, 'of somebody else']);
  });
});

test('after the end of a session the sign-in options are known, or requested', async () => {
  server.answer((request, response) =>
    (server.received.length === 1 ? json({}, 401) : json({ data: null, sign_in: SIGN_IN }))(request, response),
  );
  // As in a page that has just been loaded.
  vi.resetModules();
  const fresh = await import('./session.ts');
  client.removeQueries({ queryKey: sessionQuery.queryKey });
  await expect(client.query(fresh.sessionQuery)).resolves.toBeNull();
  expect(fresh.signInWays.read()).toEqual(SIGN_IN);
  expect(server.received).toHaveLength(2);

  server.answer(json({ data: SESSION, sign_in: SIGN_IN }));
  await expect(client.query({ ...fresh.sessionQuery, staleTime: 0 })).resolves.toEqual(SESSION);
  fresh.endSession(client);
  await expect.poll(session).toBeNull();
  expect(fresh.signInWays.read()).toEqual(SIGN_IN);
  server.answer(json({}, 401));
  await expect(client.query({ ...fresh.sessionQuery, staleTime: 0 })).resolves.toBeNull();
  expect(fresh.signInWays.read()).toEqual(SIGN_IN);
  expect(server.received).toHaveLength(1);
});

describe('signing out', () => {
  beforeEach(async () => {
    server.answer(json({ data: SESSION, sign_in: SIGN_IN }));
    await client.query({ ...sessionQuery, staleTime: 0 });
  });

  test('leaves nothing behind', async () => {
    server.answer((_, response) => response.writeHead(204).end());
    let isDeleted = false;
    await closeSession(client, async () => {
      isDeleted = session() !== null;
    });
    expect(isDeleted, 'what the browser keeps, while the pages still stand').toBe(true);
    expect(server.received).toMatchObject([{ method: 'DELETE', path: '/session' }]);
    expect(session()).toBeNull();
    expect(client.getQueryData(['a contact'])).toBeUndefined();
  });

  test('that fails keeps the session: the cookie is still valid', async () => {
    server.answer(json({}, 503));
    await expect(closeSession(client, stillSignedIn)).rejects.toMatchObject({ status: 503 });
    expect(session()).toEqual(SESSION);
  });

  test('that is not stored yet, or whose response is lost, is done', async () => {
    server.answer((request, response) => {
      json({}, request.method === 'DELETE' ? 503 : 401)(request, response);
    });
    let isDeleted = false;
    await closeSession(client, async () => {
      isDeleted = true;
    });
    expect(isDeleted).toBe(true);
    expect(session()).toBeNull();
    expect(client.getQueryData(['a contact'])).toBeUndefined();
  });
});

test('a workspace that the service accepted is known until the session ends', () => {
  rememberWorkspace(client, 'w');
  expect(session()).toBeNull();
  client.setQueryData(sessionQuery.queryKey, SESSION);
  rememberWorkspace(client, 'w');
  expect(session()).toEqual({ ...SESSION, workspace_uuid: 'w' });
});

describe('after a refusal', () => {
  const ANN = { uuid: 'p', name: null, email: 'ann@example.com' };
  const HERS: Session = { ...SESSION, workspace_uuid: 'w', role: 'admin', person: ANN };
  const refuse = (before: typeof SESSION, now: object | null) => {
    client.setQueryData(sessionQuery.queryKey, before);
    server.answer(json({ data: now }));
    recheckSession(client);
  };

  test('a person has the new role, and keeps loaded data', async () => {
    refuse(HERS, { ...HERS, role: 'read' });
    await expect.poll(known).toEqual([{ ...HERS, role: 'read' }, 'of somebody else']);
  });

  test('a removed person is signed out, or has their other workspace without data of this one', async () => {
    refuse(HERS, null);
    await expect.poll(known).toEqual([null, undefined]);
    client.setQueryData(['a contact'], 'of the first');
    const other = { ...HERS, workspace_uuid: 'v', name: 'Globex' };
    refuse(HERS, other);
    await expect.poll(known).toEqual([other, undefined]);
  });

  test('another person who signed in meanwhile has no data of the previous one', async () => {
    const theirs = { ...HERS, person: { ...ANN, uuid: 'q' } };
    refuse(HERS, theirs);
    await expect.poll(known).toEqual([theirs, undefined]);
  });

  test('a token requests nothing: its role does not change', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    refuse(SESSION, null);
    expect(session()).toEqual(SESSION);
    refuse(HERS, { ...HERS, role: 'read' });
    await expect.poll(session).toEqual({ ...HERS, role: 'read' });
    expect(fetched).toHaveBeenCalledTimes(1);
    fetched.mockRestore();
  });
});
