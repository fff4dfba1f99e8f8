import type { RequestListener, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getContact } from '#contract/additions.ts';
import { listContactEvents, listDomains, unsubscribeContact, updateContact } from '#contract/interface.ts';
import { GATEWAY_PROBLEM } from '#contract/problem.ts';
import { signOut } from '#contract/session.ts';
import { catchApiError, json, plain, setUpTestServer } from '../testing/testServer.ts';
import { readClockLead, request, setRemoteService, setWorkspace } from './client.ts';

const META = { current_page: 1, per_page: 10, total: 1, last_page: 1, has_next: false };
const DOMAIN = { uuid: 'd', name: 'x.test' };

const server = setUpTestServer();

beforeEach(() => vi.stubGlobal('navigator', { onLine: true }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const listAnswered = (listener: RequestListener) => {
  server.answer(listener);
  return request(listDomains, { query: { page: 1 } });
};

/** Sends `body` and breaks the connection once it is being sent. */
const breaksAfter =
  (body: string, headers: Record<string, string>): RequestListener =>
  (_, response) =>
    response.writeHead(200, headers).write(body, () => response.destroy());

/** Writes for as long as the other side reads. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
  response.once('drain', () => pour(response));
}

/** A call of a service whose clock is ahead by some hours. */
function answerAt(hours: number, headers: Record<string, string> = {}) {
  const date = new Date(Date.now() + hours * 3_600_000).toUTCString();
  return listAnswered(json({ data: [], meta: META }, 200, { date, ...headers }));
}

/** What a call says of its workspace. */
async function named() {
  await listAnswered(json({ data: [], meta: META }));
  return server.received[0]?.headers['sendroom-workspace'];
}

describe('a call that the page made before the console was there', () => {
  const FIRST = '/v1/domains?page=1';
  const listed = { data: [], meta: META };
  const begun = (response: Promise<Response>, control = new AbortController()) => {
    response.catch(() => undefined);
    globalThis.sendroomFirstRead = { address: FIRST, response, control };
  };

  test('is the answer to the first that is the same, once', async () => {
    server.answer(json(listed));
    begun(Promise.resolve(Response.json(listed)));
    await request(listDomains, { query: { page: 1 } });
    expect(server.received).toEqual([]);
    await request(listDomains, { query: { page: 1 } });
    expect(server.received).toHaveLength(1);
  });

  test('is not the answer to another', async () => {
    server.answer(json(listed));
    begun(Promise.resolve(Response.json(listed)));
    await request(listDomains, { query: { page: 2 } });
    expect(server.received).toMatchObject([{ path: '/v1/domains?page=2' }]);
  });

  test('ends when nobody waits for it any more', async () => {
    const control = new AbortController();
    const { promise, reject } = Promise.withResolvers<Response>();
    control.signal.addEventListener('abort', () => reject(control.signal.reason));
    begun(promise, control);
    const mine = new AbortController();
    const asked = request(listDomains, { query: { page: 1 } }, mine.signal);
    mine.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(control.signal.aborted).toBe(true);
  });

  test('that failed is a failed call', async () => {
    begun(Promise.resolve(Response.json({ detail: 'Later' }, { status: 503 })));
    await expect(request(listDomains, { query: { page: 1 } })).rejects.toMatchObject({ kind: 'status', status: 503 });
  });
});

describe('a call', () => {
  test('says which workspace it is for, and only to the service that served the page', async () => {
    expect(await named()).toBeUndefined();
    setWorkspace('w');
    expect(await named()).toBe('w');
    setRemoteService({ baseUrl: '', token: 't' });
    expect(await named()).toBeUndefined();
    setRemoteService(null);
    setWorkspace(null);
  });

  test('tells how far the clock of the service is ahead; a cache does not, nor one of another service', async () => {
    await answerAt(2);
    expect(readClockLead() / 3_600_000).toBeCloseTo(2, 2);
    await answerAt(-5, { age: '18000' });
    expect(readClockLead() / 3_600_000).toBeCloseTo(2, 2);
    setRemoteService(null);
    expect(readClockLead()).toBe(0);
  });

  test('carries what the interface and the session ask for', async () => {
    await listAnswered(json({ data: [], meta: META }));
    const [call] = server.received;
    expect(call).toMatchObject({ method: 'GET', path: '/v1/domains?page=1', body: '' });
    expect(call?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
      'sendroom-console': '1',
    });
  });

  test('writes sorting[] once per descriptor, and escapes what is searched for', async () => {
    server.answer(json({ data: [], meta: META }));
    const sorting = [
      { id: 'name', desc: false },
      { id: 'created_at', desc: true },
    ];
    await request(listDomains, { query: { page: 2, per_page: 50, search: 'a&b=c #ü', sorting } });
    const url = new URL(server.received[0]?.path ?? '', 'http://x.test');
    expect([...url.searchParams]).toEqual([
      ['page', '2'],
      ['per_page', '50'],
      ['search', 'a&b=c #ü'],
      ['sorting[]', '{"id":"name","desc":false}'],
      ['sorting[]', '{"id":"created_at","desc":true}'],
    ]);
  });

  test('reaches a contact whose identity needs escaping', async () => {
    server.answer(json({ data: [], meta: META }));
    await request(listContactEvents, { contact: 'a+b/c d%@x.test' });
    expect(server.received[0]?.path).toBe('/v1/contacts/a%2Bb%2Fc%20d%25%40x.test/events');
  });

  test('reads and sends numbers with the digits they are written with', async () => {
    const text = '{"uuid":"c","subscribed":true,"attributes":{"id":9007199254740993,"list":[1e400,0.1]}}';
    server.answer(plain(200, 'application/json', `{"data":${text}}`));
    const { data } = await request(getContact, { contact: 'c' });
    server.answer(plain(200, 'application/json', text));
    await request(updateContact, { contact: 'c', body: { attributes: data.attributes ?? {} } });
    expect(server.received[0]?.body).toBe('{"attributes":{"id":9007199254740993,"list":[1e400,0.1]}}');
  });

  test('that is nested without end beside such a number is refused in words', async () => {
    const deep = `{"data":${'['.repeat(100_000)}1e400${']'.repeat(100_000)}}`;
    server.answer(plain(200, 'application/json', deep));
    const error = await catchApiError(request(getContact, { contact: 'c' }));
    expect(error).toMatchObject({ kind: 'unreadable', message: 'The answer is nested too deeply to be read.' });
  });

  test('sends a body as JSON, and none where the interface says none', async () => {
    const contact = { uuid: 'c', subscribed: false };
    server.answer(json(contact));
    await request(updateContact, { contact: 'c', body: { attributes: { first_name: 'Jane', age: null } } });
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      body: '{"attributes":{"first_name":"Jane","age":null}}',
    });

    server.answer(json({ data: contact }));
    await request(unsubscribeContact, { workspace: 'w', contact: 'c' });
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      path: '/v1/workspaces/w/contacts/c/unsubscribe',
      body: '',
      headers: { 'content-type': 'application/json' },
    });
  });

  test.each(['', ' ', '.', '..', '../x', 'a\0b', 'a\ud800'])('about the contact %j is not sent', async (contact) => {
    server.answer(json({}));
    const error = await catchApiError(request(listContactEvents, { contact }));
    expect(error).toMatchObject({ kind: 'input', isTransient: false });
    expect(error.message).toMatch(/^The contact (is empty|holds|contains)/);
    expect(server.received).toEqual([]);
  });
});

describe('an answer is read tolerantly', () => {
  test('without what the console does not know', async () => {
    const answer = { data: [{ ...DOMAIN, unheard_of: 1 }], meta: { ...META, path: '/v1/domains' }, links: {} };
    const page = await listAnswered(json(answer));
    expect(Object.keys(page)).toEqual(['data', 'meta']);
    expect(page.meta).toEqual(META);
    expect(page.data[0]).toMatchObject({ ...DOMAIN, verified: null, dns: null, created_at: null });
    expect(page.data[0]).not.toHaveProperty('unheard_of');
  });

  test('with unknown words, ids that are no UUIDs and times of another precision', async () => {
    const domain = { ...DOMAIN, status: 'under_review', created_at: '2025-01-31T12:00:00.123456Z', verified: 'yes' };
    const page = await listAnswered(json({ data: [domain], meta: META }));
    expect(page.data[0]).toMatchObject({ status: 'under_review', created_at: domain.created_at, verified: null });
  });

  test('with attributes that are null', async () => {
    server.answer(json({ data: { uuid: 'c', subscribed: true, attributes: null } }));
    await expect(request(getContact, { contact: 'c' })).resolves.toMatchObject({ data: { attributes: null } });
  });

  test('with any media type, a byte order mark, and letters that the network cuts in two', async () => {
    // Three bytes per character, in chunks whose size is a power of two.
    const name = '€'.repeat(200_000);
    const body = `\ufeff${JSON.stringify({ data: [{ ...DOMAIN, name }], meta: META })}`;
    const page = await listAnswered(plain(200, 'text/html', body));
    expect(page.data[0]?.name === name).toBe(true);
  });

  test('when it is empty and nothing was expected', async () => {
    server.answer((_, response) => response.writeHead(204).end());
    await expect(request(signOut, {})).resolves.toBeUndefined();
  });

  test('with another status of success', async () => {
    await expect(listAnswered(json({ data: [DOMAIN], meta: META }, 201))).resolves.toMatchObject({ data: [DOMAIN] });
  });

  test('up to 5 MB', async () => {
    const body = JSON.stringify({ data: [DOMAIN], meta: META });
    const page = await listAnswered(plain(200, 'application/json', body.padEnd(5 * 1024 * 1024)));
    expect(page.data).toHaveLength(1);
  });
});

describe('an answer nobody can read says why', () => {
  const valid = JSON.stringify({ data: [DOMAIN], meta: META });

  test.each<[string, RequestListener, RegExp]>([
    [
      'a web page',
      plain(200, 'text/html', '\n<!doctype html><title>Sign in</title>'),
      /^A web page came .*\(status 200\)/,
    ],
    ['204', (_, response) => response.writeHead(204).end(), /\(status 204\) is empty/],
    ['nothing', plain(200, 'application/json', ''), /\(status 200\) is empty/],
    ['text', plain(200, 'text/plain', 'OK'), /is not JSON or was cut off/],
    [
      'UTF-16',
      (_, response) => response.writeHead(200).end(Buffer.from(valid, 'utf16le')),
      /is not JSON or was cut off/,
    ],
    ['half of it', plain(200, 'application/json', valid.slice(0, -20)), /is not JSON or was cut off/],
    ['a part that is valid by itself', plain(200, 'application/json', '{"data":[]}'), /does not match .* at “meta”/],
    ['no data', json({ meta: META }), /at “data”/],
    ['null', json(null), /does not match the interface\./],
    ['a list', json([DOMAIN]), /does not match the interface\./],
    ['data that is no list', json({ data: DOMAIN, meta: META }), /at “data”/],
    ['a row that is null', json({ data: [DOMAIN, null], meta: META }), /at “data\.1”/],
    ['a row without its id', json({ data: [DOMAIN, { name: 'y.test' }], meta: META }), /at “data\.1\.uuid”/],
    ['an id that is a number', json({ data: [{ uuid: 7, name: 'x.test' }], meta: META }), /at “data\.0\.uuid”/],
    ['a total in words', json({ data: [], meta: { ...META, total: 'many' } }), /at “meta\.total”/],
    [
      'a number too large for numbers',
      plain(200, 'application/json', valid.replace('"total":1', '"total":1e999')),
      /at “meta\.total”/,
    ],
    ['more than 5 MB', plain(200, 'application/json', valid.padEnd(5 * 1024 * 1024 + 1)), /larger than 5 MB/],
  ])('%s', async (_, listener, message) => {
    const error = await catchApiError(listAnswered(listener));
    expect(error).toMatchObject({ kind: 'unreadable', isTransient: false, status: expect.any(Number) as number });
    expect(error.message).toMatch(message);
  });

  test.each([301, 302, 307, 308])('a redirect (%i), which is not followed', async (status) => {
    const error = await catchApiError(listAnswered(json({}, status, { location: '/elsewhere' })));
    expect(error).toMatchObject({ kind: 'unreadable', isTransient: false });
    expect(error.message).toMatch(/sent us to another address/);
    expect(server.received).toHaveLength(1);
  });

  test('with the id of the request, for the operator', async () => {
    const error = await catchApiError(listAnswered(json({}, 200, { 'x-request-id': 'req-1' })));
    expect(error.requestId).toBe('req-1');
  });

  test('one without an end is not read to its end', async () => {
    const { promise: hungUp, resolve } = Promise.withResolvers<void>();
    const error = await catchApiError(
      listAnswered((_, response) => {
        response.on('close', resolve);
        pour(response);
      }),
    );
    expect(error.message).toMatch(/larger than 5 MB/);
    await hungUp;
  });
});

describe('no answer', () => {
  test.each<[string, RequestListener]>([
    ['a connection reset before a word', (_, response) => response.destroy()],
    ['fewer bytes than announced', breaksAfter('{"data":[', { 'content-length': '1000' })],
    ['a chunk that never came', breaksAfter('{"data":[', { 'transfer-encoding': 'chunked' })],
  ])('%s', async (_, listener) => {
    const error = await catchApiError(listAnswered(listener));
    expect(error).toMatchObject({ kind: 'network', isTransient: true, status: undefined });
    expect(error.message).toBe('The service is not reachable, or the connection broke.');
  });

  test('because a gateway got none: it is the gateway that speaks, not the service', async () => {
    const detail = 'The service behind the gateway did not answer in time.';
    const type = `${GATEWAY_PROBLEM}timeout`;
    const error = await catchApiError(listAnswered(json({ type, detail }, 504, { 'x-request-id': 'g-1' })));
    expect(error).toMatchObject({ kind: 'network', message: detail, requestId: 'g-1', isTransient: true });
  });

  test('because nobody listens', async () => {
    await server.close();
    const error = await catchApiError(request(signOut, {}));
    await server.listen();
    expect(error).toMatchObject({ kind: 'network', isTransient: true });
  });

  test('offline is called by its name', async () => {
    vi.stubGlobal('navigator', { onLine: false });
    const error = await catchApiError(listAnswered((_, response) => response.destroy()));
    expect(error.message).toBe('This computer is offline.');
  });

  test.each<[string, RequestListener]>([
    ['at all', () => {}],
    ['to its end', (_, response) => response.writeHead(200).write('{"data":[')],
  ])('in time %s', async (_, listener) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    // A clock that runs a hundred times as fast.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => timeout(milliseconds / 100));
    server.answer(listener);
    const error = await catchApiError(request(listDomains, {}, new AbortController().signal));
    expect(error).toMatchObject({ kind: 'timeout', isTransient: true });
    expect(error.message).toBe('There was no complete answer within 15 seconds.');
  });

  test('wanted any more: the abort stays an abort', async () => {
    const abort = new AbortController();
    server.answer(() => abort.abort());
    await expect(request(listDomains, {}, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(request(listDomains, {}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
