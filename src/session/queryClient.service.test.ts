import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { updateContact } from '#contract/interface.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { retry, retryDelay } from '../api/retry.ts';
import { queryClient } from './queryClient.ts';
import { sessionQuery } from './session.ts';
import { json, setUpTestServer } from '../testing/testServer.ts';

const SESSION = {
  workspace_uuid: 'w',
  name: 'Acme',
  identity_field: null,
  role: null,
  person: null,
  workspaces: [],
  capabilities: [],
};

const refused = (status: number, retryAfter?: number) =>
  new ApiError('status', 'No.', { status, ...(retryAfter !== undefined && { retryAfter }) });

const update = () => request(updateContact, { contact: 'c', body: { attributes: {} } });

describe('a failed read is tried again', () => {
  test.each([
    [new ApiError('network', 'No.'), true],
    [new ApiError('timeout', 'No.'), true],
    [refused(429), true],
    [refused(500), true],
    [refused(503), true],
    [refused(503, 20), true],
    // A longer wait is for the person to decide.
    [refused(503, 21), false],
    [refused(429, 3600), false],
    [refused(400), false],
    [refused(401), false],
    [refused(403), false],
    [refused(404), false],
    [refused(409), false],
    [refused(422), false],
    [new ApiError('unreadable', 'No.', { status: 200 }), false],
    [new ApiError('input', 'No.'), false],
    [new TypeError('A fault of our own'), false],
    [null, false],
  ])('%o: %j', (error, again) => {
    expect(retry(0, error)).toBe(again);
    expect(retry(1, error)).toBe(again);
    // Three times in all.
    expect(retry(2, error)).toBe(false);
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

  test('reads what comes at the third try', async () => {
    server.answer((request, response) =>
      server.received.length < 3 ? response.destroy() : json({ data: SESSION })(request, response),
    );
    await expect(queryClient.query(sessionQuery)).resolves.toEqual(SESSION);
    expect(server.received).toHaveLength(3);
  });

  test('gives up with the last failure', async () => {
    server.answer(json({}, 503));
    await expect(queryClient.query(sessionQuery)).rejects.toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(3);
  });

  test('takes a refusal for an answer', async () => {
    server.answer(json({}, 403));
    await expect(queryClient.query(sessionQuery)).rejects.toMatchObject({ status: 403 });
    expect(server.received).toHaveLength(1);
  });

  test('reads 401 as nobody signed in', async () => {
    const signIn = { token: true, account: null, account_sign_out: null };
    // The second request asks for how one can sign in, unless that is known already.
    server.answer((request, response) =>
      (server.received.length === 1 ? json({}, 401) : json({ data: null, sign_in: signIn }))(request, response),
    );
    await expect(queryClient.query(sessionQuery)).resolves.toBeNull();
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

  test('never repeats a write by itself', async () => {
    server.answer(json({}, 503));
    await expect(
      queryClient.getMutationCache().build(queryClient, { mutationFn: update }).execute(undefined),
    ).rejects.toThrow();
    expect(server.received).toHaveLength(1);
  });
});
