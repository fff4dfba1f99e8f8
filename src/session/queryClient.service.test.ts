import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { updateContact } from '#contract/interface.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { retry, retryDelay } from '../api/retry.ts';
import { queryClient } from './queryClient.ts';
import { sessionQuery } from './session.ts';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { sessionWith } from '../testing/testSession.ts';

const SESSION = sessionWith({ workspace_uuid: 'w', name: 'Acme' });

const of = (kind: ApiError['kind']) => new ApiError(kind, 'No.', { status: 200 });
const refused = (status: number, retryAfter?: number) =>
  new ApiError('status', 'No.', { status, ...(retryAfter !== undefined && { retryAfter }) });

const update = () => request(updateContact, { contact: 'c', body: { attributes: {} } });

describe('a failed read is tried again', () => {
  test.each<[boolean, unknown[]]>([
    [true, [of('network'), of('timeout'), refused(429), refused(500), refused(503), refused(503, 20)]],
    // A longer wait is for the person to decide.
    [false, [refused(503, 21), refused(429, 3600)]],
    [false, [refused(400), refused(401), refused(403), refused(404), refused(409), refused(422)]],
    [false, [of('unreadable'), of('input'), new TypeError('A fault of our own'), null]],
  ])('%j, three times in all: %o', (again, errors) => {
    for (const error of errors) expect([0, 1, 2].map((n) => retry(n, error))).toEqual([again, again, false]);
  });

  test('after a pause that doubles and differs between callers', () => {
    const random = vi.spyOn(Math, 'random');
    const error = new ApiError('network', 'No.');
    random.mockReturnValue(0);
    expect([0, 1, 2].map((failures) => retryDelay(failures, error))).toEqual([0, 0, 0]);
    random.mockReturnValue(1);
    expect([0, 1, 2].map((failures) => retryDelay(failures, error))).toEqual([500, 1000, 2000]);
    expect(retryDelay(0, new TypeError('A fault of our own'))).toBe(500);
  });

  test('never before the service asked for it', () => {
    const random = vi.spyOn(Math, 'random');
    random.mockReturnValue(0);
    expect(retryDelay(0, refused(503, 7))).toBe(7000);
    random.mockReturnValue(1);
    expect(retryDelay(1, refused(503, 7))).toBe(8000);
    expect(retryDelay(0, refused(503, 0))).toBe(500);
  });
});

describe('the console’s client', () => {
  const server = setUpTestServer();
  beforeEach(() => {
    // No pause.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    vi.stubGlobal('navigator', { onLine: true });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    queryClient.clear();
  });

  test('reads the third response', async () => {
    server.answer((request, response) =>
      server.received.length < 3 ? response.destroy() : json({ data: SESSION })(request, response),
    );
    await expect(queryClient.query(sessionQuery)).resolves.toEqual(SESSION);
    expect(server.received).toHaveLength(3);
  });

  test('ends the session when any read or write says 401, and only then', async () => {
    for (const [status, session] of [
      [401, null],
      [403, SESSION],
    ] as const) {
      server.answer(json({}, status));

      queryClient.setQueryData(sessionQuery.queryKey, SESSION);
      await expect(queryClient.query({ queryKey: ['a read'], queryFn: update })).rejects.toMatchObject({ status });
      expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(session);

      queryClient.setQueryData(sessionQuery.queryKey, SESSION);
      const write = queryClient.getMutationCache().build(queryClient, { mutationFn: update });
      await expect(write.execute(undefined)).rejects.toMatchObject({ status });
      expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(session);
    }
  });

  test('keeps the session when a sign-in is refused', async () => {
    server.answer(json({}, 401));
    queryClient.setQueryData(sessionQuery.queryKey, SESSION);
    const signIn = { mutationFn: update, meta: { isSignIn: true } };
    const refusedSignIn = queryClient.getMutationCache().build(queryClient, signIn).execute(undefined);
    await expect(refusedSignIn).rejects.toMatchObject({ status: 401 });
    expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(SESSION);
  });

  test('never repeats a write by itself', async () => {
    server.answer(json({}, 503));
    await expect(
      queryClient.getMutationCache().build(queryClient, { mutationFn: update }).execute(undefined),
    ).rejects.toThrow();
    expect(server.received).toHaveLength(1);
  });
});
