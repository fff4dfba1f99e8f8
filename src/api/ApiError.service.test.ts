import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listContactEvents, listDomains, unsubscribeContact } from '#contract/interface.ts';
import { signIn } from '#contract/session.ts';
import { catchApiError, json, plain, setUpTestServer } from '../testing/testServer.ts';
import { ApiError, errorTitle } from './ApiError.ts';
import { request } from './client.ts';

const server = setUpTestServer();

const listAnswered = (listener: RequestListener) => {
  server.answer(listener);
  return request(listDomains, { query: { page: 1 } });
};

describe('a refusal', () => {
  const problem = {
    type: 'about:blank',
    title: 'Unprocessable Content',
    status: 422,
    detail: 'Something in the request is wrong.',
    request_id: 'req-1',
    errors: [{ field: 'per_page', message: 'per_page must be a whole number from 1.' }],
  };

  test('of our service comes with its sentence, its fields and its id', async () => {
    const headers = { 'content-type': 'application/problem+json', 'x-request-id': 'req-1' };
    const error = await catchApiError(listAnswered(json(problem, 422, headers)));
    expect(error).toMatchObject({
      kind: 'status',
      status: 422,
      message: 'Something in the request is wrong.',
      fields: problem.errors,
      requestId: 'req-1',
      retryAfter: undefined,
      isTransient: false,
    });
  });

  test.each<[string, RequestListener, string]>([
    ['a message', json({ message: 'Bad page' }, 422), 'Bad page'],
    ['an error', json({ error: 'Bad page' }, 400), 'Bad page'],
    ['a title alone', json({ title: 'Bad page' }, 400), 'Bad page'],
    ['a detail before all', json({ title: 'a', message: 'b', error: 'c', detail: 'd' }, 400), 'd'],
    ['an empty detail beside a message', json({ detail: ' ', message: 'Bad page' }, 400), 'Bad page'],
    ['an error that is an object', json({ error: { code: 7 } }, 400), 'The service answered with status 400.'],
    ['nothing', plain(422, 'text/plain', ''), 'The service answered with status 422.'],
    ['empty words', json({ message: '', detail: '' }, 422), 'The service answered with status 422.'],
    ['text', plain(400, 'text/plain', 'no'), 'The service answered with status 400.'],
    ['null', json(null, 400), 'The service answered with status 400.'],
    ['a list', json(['no'], 400), 'no'],
    ['an error with a message', json({ error: { code: 7, message: 'Bad page' } }, 400), 'Bad page'],
    ['an error and what it means', json({ error: 'invalid', error_description: 'Bad page' }, 400), 'Bad page'],
    ['a list of errors', json({ errors: [{ source: { pointer: '/x' }, detail: 'Bad page' }] }, 422), 'Bad page'],
    ['errors that are numbers', json({ errors: [7, { code: 8 }] }, 422), 'The service answered with status 422.'],
    ['members of strange types', json({ type: 7, title: { a: [] }, detail: [{}], errors: 'no' }, 400), 'no'],
    ['words too deep', json({ errors: [[[['no']]]] }, 422), 'The service answered with status 422.'],
    ['a web page', plain(502, 'text/html', '<h1>Bad Gateway</h1>'), 'The service could not do this (502).'],
    [
      'the trace of a failure',
      json({ message: 'at secret.js:1' }, 500),
      'The service could not do this (500). It says: at secret.js:1',
    ],
    ['a book', json({ message: 'x'.repeat(10_000) }, 400), 'x'.repeat(300)],
  ])('with %s is told in words', async (_, listener, message) => {
    const error = await catchApiError(listAnswered(listener));
    expect(error).toMatchObject({ kind: 'status', message, fields: [] });
  });

  test.each([
    [[{ field: 'page', message: 'no' }], [{ field: 'page', message: 'no' }]],
    [
      { page: ['no', 'never'] },
      [
        { field: 'page', message: 'no' },
        { field: 'page', message: 'never' },
      ],
    ],
    [{ page: 'no' }, []],
    [['no'], []],
    [[{ field: 'page' }], []],
    [null, []],
  ])('with errors %j has the fields %j', async (errors, fields) => {
    const error = await catchApiError(listAnswered(json({ message: 'Bad', errors }, 422)));
    expect(error).toMatchObject({ message: 'Bad', fields });
  });

  test.each([
    ['7', 7],
    ['0', 0],
    ['-3', 0],
    ['1.5', 1.5],
    ['soon', 1],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    // No longer than a timer can wait.
    ['1e9', 86_400],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
  ])('with Retry-After: %s asks for %d s', async (header, seconds) => {
    const error = await catchApiError(listAnswered(json({}, 503, { 'retry-after': header })));
    expect(error).toMatchObject({ status: 503, retryAfter: seconds, isTransient: true });
  });

  test('may say until when, as a date', async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfter } = await catchApiError(listAnswered(json({}, 429, { 'retry-after': inAMinute })));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  test.each([
    [408, true],
    [425, false],
    [429, true],
    [500, true],
    [501, true],
    [503, true],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [409, false],
    [422, false],
  ])('with %i may pass: %j', async (status, passing) => {
    expect(await catchApiError(listAnswered(json({}, status)))).toMatchObject({ status, isTransient: passing });
  });

  test('means what the operation says it means', async () => {
    server.answer(json({ detail: 'gone' }, 404));
    const gone = [
      request(listContactEvents, { contact: 'c' }),
      request(unsubscribeContact, { workspace: 'w', contact: 'c' }),
      request(listDomains, {}),
      request(signIn, { body: { token: 't' } }),
    ];
    expect(await Promise.all(gone.map(async (call) => (await catchApiError(call)).message))).toEqual([
      'There is no such contact in this workspace.',
      'There is no such contact in this workspace. Nobody was unsubscribed.',
      'The service has nothing at this address.',
      'This address does not offer sign-in. Is it a Sendroom service?',
    ]);
  });

  test('of a token never quotes what was sent', async () => {
    server.answer(json({ detail: 'unknown token s3cret' }, 401));
    const error = await catchApiError(request(signIn, { body: { token: 's3cret' } }));
    expect(error.message).toMatch(/^The service does not accept this\./);
    expect(error.message).not.toContain('s3cret');
  });
});

test.each([
  [new ApiError('input', 'x'), 'This cannot be looked up'],
  [new ApiError('network', 'x'), 'No answer from the service'],
  [new ApiError('timeout', 'x'), 'The service took too long'],
  [new ApiError('unreadable', 'x', { status: 200 }), 'Unreadable answer'],
  [new ApiError('status', 'x', { status: 401 }), 'Not signed in'],
  [new ApiError('status', 'x', { status: 403 }), 'No access'],
  [new ApiError('status', 'x', { status: 404 }), 'Not found'],
  [new ApiError('status', 'x', { status: 409 }), 'Already taken'],
  [new ApiError('status', 'x', { status: 429 }), 'Too many requests'],
  [new ApiError('status', 'x', { status: 503 }), 'The service failed'],
  [new ApiError('status', 'x', { status: 422 }), 'The service refused this'],
  [new TypeError('x'), 'Something in this page failed'],
  [null, 'Something in this page failed'],
])('%o stands under "%s"', (error, title) => {
  expect(errorTitle(error)).toBe(title);
});
