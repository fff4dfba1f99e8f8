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
  test('of our service comes with its sentence, its fields and its id', async () => {
    const errors = [{ field: 'per_page', message: 'per_page must be a whole number from 1.' }];
    const problem = {
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: 'It is wrong.',
      errors,
    };
    const headers = { 'content-type': 'application/problem+json', 'x-request-id': 'req-1' };
    const expected = { kind: 'status', status: 422, message: 'It is wrong.', fields: errors, requestId: 'req-1' };
    expect(await catchApiError(listAnswered(json(problem, 422, headers)))).toMatchObject(expected);
  });

  test.each<[string, RequestListener, string]>([
    ['a message', json({ message: 'Bad page' }, 422), 'Bad page'],
    ['an error', json({ error: 'Bad page' }, 400), 'Bad page'],
    ['a detail before all', json({ title: 'a', message: 'b', error: 'c', detail: 'd' }, 400), 'd'],
    ['an error that is an object', json({ error: { code: 7 } }, 400), 'The service responded with status 400.'],
    ['nothing', plain(422, 'text/plain', ''), 'The service responded with status 422.'],
    ['text', plain(400, 'text/plain', 'no'), 'The service responded with status 400.'],
    ['an error with a message', json({ error: { code: 7, message: 'Bad page' } }, 400), 'Bad page'],
    ['an error and what it means', json({ error: 'invalid', error_description: 'Bad page' }, 400), 'Bad page'],
    ['a list of errors', json({ errors: [{ source: { pointer: '/x' }, detail: 'Bad page' }] }, 422), 'Bad page'],
    ['members of strange types', json({ type: 7, title: { a: [] }, detail: [{}], errors: 'no' }, 400), 'no'],
    ['words too deep', json({ errors: [[[['no']]]] }, 422), 'The service responded with status 422.'],
    ['a web page', plain(502, 'text/html', '<h1>Bad Gateway</h1>'), 'The service could not do this (502).'],
    ['a trace', json({ message: 'at x.js:1' }, 500), 'The service could not do this (500). It says: at x.js:1'],
    ['a book', json({ message: 'x'.repeat(10_000) }, 400), 'x'.repeat(300)],
  ])('with %s has a readable message', async (_, listener, message) => {
    const error = await catchApiError(listAnswered(listener));
    expect(error).toMatchObject({ kind: 'status', message, fields: [] });
  });

  const [no, never] = ['no', 'never'].map((message) => ({ field: 'page', message }));
  test.each([
    [[no], [no]],
    [{ page: ['no', 'never'] }, [no, never]],
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
    [new Date(Date.now() + 10_000_000_000).toUTCString(), 86_400],
  ])('with Retry-After: %s asks for %d s', async (header, seconds) => {
    const error = await catchApiError(listAnswered(json({}, 503, { 'retry-after': header })));
    expect(error).toMatchObject({ status: 503, retryAfter: seconds, isTransient: true });
  });

  test('with a date in Retry-After asks for the seconds until then', async () => {
    const header = new Date(Date.now() + 600_000).toUTCString();
    const { retryAfter } = await catchApiError(listAnswered(json({}, 503, { 'retry-after': header })));
    expect(retryAfter).toBeGreaterThan(500);
    expect(retryAfter).toBeLessThanOrEqual(600);
  });

  test.each([408, 429, 500, 501, 503])('with %i may pass', async (status) => {
    expect(await catchApiError(listAnswered(json({}, status)))).toMatchObject({ status, isTransient: true });
  });

  test.each([400, 401, 403, 404, 409, 422, 425])('with %i does not pass', async (status) => {
    expect(await catchApiError(listAnswered(json({}, status)))).toMatchObject({ status, isTransient: false });
  });

  test('has a message for its operation', async () => {
    server.answer(json({ detail: 'gone' }, 404));
    const gone = [
      request(listContactEvents, { contact: 'c' }),
      request(unsubscribeContact, { workspace: 'w', contact: 'c' }),
      request(listDomains, {}),
      request(signIn, { body: { token: 't' } }),
    ];
    expect(await Promise.all(gone.map(async (call) => (await catchApiError(call)).message))).toEqual([
      'There is no such contact in this workspace.',
      'There is no such contact in this workspace. Nothing was changed.',
      'The service has nothing at this address.',
      'This address does not offer sign-in. Is it a Sendroom service?',
    ]);
  });

  test('of a token never quotes what was sent', async () => {
    server.answer(json({ detail: 'unknown token s3cret' }, 401));
    const error = await catchApiError(request(signIn, { body: { token: 's3cret' } }));
    expect(error.message).toMatch(/^The service refused the token\./);
    expect(error.message).not.toContain('s3cret');
  });
});

test.each([
  ['input', undefined, 'This can’t be looked up'],
  ['network', undefined, 'No response from the service'],
  ['timeout', undefined, 'The service took too long'],
  ['unreadable', 200, 'Unreadable response'],
  ['status', 401, 'Not signed in'],
  ['status', 403, 'No access'],
  ['status', 404, 'Not found'],
  ['status', 429, 'Too many requests'],
  ['status', 503, 'The service failed'],
  ['status', 422, 'The service refused this'],
] as const)('a failure of kind %s, status %j, stands under "%s"', (kind, status, title) => {
  expect(errorTitle(new ApiError(kind, 'x', { ...(status !== undefined && { status }) }))).toBe(title);
});

test('a bug in the console has its own title', () => {
  expect([new TypeError('x'), null].map(errorTitle)).toEqual(Array(2).fill('Something on this page failed'));
});
