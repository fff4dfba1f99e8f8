import type { RequestListener, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getContact } from '#contract/additions.ts';
import { listContactEvents, listDomains, unsubscribeContact, updateContact } from '#contract/interface.ts';
import { GATEWAY_PROBLEM } from '#contract/problem.ts';
import { signOut } from '#contract/session.ts';
import { catchApiError, json, plain, setUpTestServer } from '../testing/testServer.ts';
import { clockSkew, pagePlace, request, setRemoteService } from './client.ts';

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

const NOTHING = { data: [], meta: META };
/** What was received of a call whose answer does not matter. */
async function sent(call: () => Promise<unknown>, answer: unknown = NOTHING) {
  server.answer(json(answer));
  await call();
  return server.received[0];
}

describe('a request that the page sent before the console was loaded', () => {
  const FIRST = '/v1/domains?page=1';
  const begun = (response: Promise<Response>, control = new AbortController()) => {
    response.catch(() => undefined);
    globalThis.sendroomFirstRead = { address: FIRST, response, control };
  };

  test('serves the first identical request, once, and no other', async () => {
    server.answer(json(NOTHING));
    begun(Promise.resolve(Response.json(NOTHING)));
    await request(listDomains, { query: { page: 1 } });
    expect(server.received).toEqual([]);
    await request(listDomains, { query: { page: 1 } });
    begun(Promise.resolve(Response.json(NOTHING)));
    await request(listDomains, { query: { page: 2 } });
    expect(server.received).toMatchObject([{ path: FIRST }, { path: '/v1/domains?page=2' }]);
  });

  test('is aborted with the request that waits for it', async () => {
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
});

const named = async () => (await sent(() => request(listDomains, {})))?.headers['sendroom-workspace'];

const answerAt = (hours: number, headers: Record<string, string> = {}) => {
  const date = new Date(Date.now() + hours * 3_600_000).toUTCString();
  return listAnswered(json(NOTHING, 200, { date, ...headers }));
};

const unsubscribe = () => request(unsubscribeContact, { workspace: 'w', contact: 'c' });

const BIG = '{"uuid":"c","subscribed":true,"attributes":{"id":9007199254740993,"list":[1e400,0.1]}}';

describe('a call', () => {
  test('names its workspace only to the service that served the page', async () => {
    expect(await named()).toBeUndefined();
    pagePlace.write({ basePath: '', workspace: 'w' });
    expect(await named()).toBe('w');
    setRemoteService({ baseUrl: '', token: 't' });
    expect(await named()).toBeUndefined();
    setRemoteService(null);
    pagePlace.write({ basePath: '', workspace: null });
  });

  test('measures the clock skew of the service, but not from a cache or another service', async () => {
    await answerAt(2);
    expect(clockSkew.read() / 3_600_000).toBeCloseTo(2, 2);
    await answerAt(-5, { age: '18000' });
    expect(clockSkew.read() / 3_600_000).toBeCloseTo(2, 2);
    setRemoteService(null);
    expect(clockSkew.read()).toBe(0);
  });

  test('carries what the interface and the session ask for', async () => {
    const sorting = [{ id: 'name', desc: false }];
    const call = await sent(() => request(listDomains, { query: { page: 2, search: 'a&b=c #ü', sorting } }));
    expect(call).toMatchObject({ method: 'GET', body: '' });
    expect([...new URL(call?.path ?? '', 'http://x.test').searchParams]).toEqual([
      ['page', '2'],
      ['search', 'a&b=c #ü'],
      ['sorting[]', '{"id":"name","desc":false}'],
    ]);
    expect(call?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
      'sendroom-console': '1',
    });
  });

  test('reads and sends numbers with the digits they are written with', async () => {
    server.answer(plain(200, 'application/json', `{"data":${BIG}}`));
    const { data } = await request(getContact, { contact: 'c' });
    server.answer(plain(200, 'application/json', BIG));
    await request(updateContact, { contact: 'c', body: { attributes: data.attributes ?? {} } });
    expect(server.received[0]?.body).toBe('{"attributes":{"id":9007199254740993,"list":[1e400,0.1]}}');
  });

  test('that is nested too deeply next to such a number has a readable error', async () => {
    const deep = `{"data":${'['.repeat(100_000)}1e400${']'.repeat(100_000)}}`;
    server.answer(plain(200, 'application/json', deep));
    const error = await catchApiError(request(getContact, { contact: 'c' }));
    expect(error).toMatchObject({ kind: 'unreadable', message: 'The response is nested too deeply.' });
  });

  test('sends a body as JSON, and none where the interface says none', async () => {
    const contact = { uuid: 'c', subscribed: false };
    const body = { attributes: { first_name: 'Jane', age: null } };
    expect(await sent(() => request(updateContact, { contact: 'c', body }), contact)).toMatchObject({
      method: 'POST',
      body: '{"attributes":{"first_name":"Jane","age":null}}',
    });
    expect(await sent(unsubscribe, { data: contact })).toMatchObject({
      method: 'POST',
      path: '/v1/workspaces/w/contacts/c/unsubscribe',
      body: '',
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

describe('a response is read tolerantly', () => {
  test('without what the console does not know, with unknown words, and with times of another precision', async () => {
    const known = { ...DOMAIN, status: 'under_review', created_at: '2025-01-31T12:00:00.123456Z' };
    const answer = { data: [{ ...known, verified: 'yes', unheard_of: 1 }], meta: { ...META, path: '/' }, links: {} };
    const page = await listAnswered(json(answer));
    expect(Object.keys(page)).toEqual(['data', 'meta']);
    expect(page.meta).toEqual(META);
    expect(page.data[0]).toMatchObject({ ...known, verified: null, dns: null });
    expect(page.data[0]).not.toHaveProperty('unheard_of');
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

  test('up to 5 MB', async () => {
    const body = JSON.stringify({ data: [DOMAIN], meta: META });
    const page = await listAnswered(plain(200, 'application/json', body.padEnd(5 * 1024 * 1024)));
    expect(page.data).toHaveLength(1);
  });
});

const text = (body: string) => plain(200, 'application/json', body);

describe('an unreadable response has an error that says why', () => {
  const valid = JSON.stringify({ data: [DOMAIN], meta: META });

  test.each<[string, RequestListener, RegExp]>([
    ['a web page', plain(200, 'text/html', '\n<!doctype html><title>x'), /^Received a web page .*\(status 200\)/],
    ['204', (_, response) => response.writeHead(204).end(), /\(status 204\) is empty/],
    ['nothing', text(''), /\(status 200\) is empty/],
    ['text', plain(200, 'text/plain', 'OK'), /is not JSON or was cut off/],
    ['UTF-16', (_, response) => response.end(Buffer.from(valid, 'utf16le')), /is not JSON or was cut off/],
    ['half of it', text(valid.slice(0, -20)), /is not JSON or was cut off/],
    ['a part that is valid by itself', text('{"data":[]}'), /does not match .* at “meta”/],
    ['null', json(null), /does not match the interface\./],
    ['a list', json([DOMAIN]), /does not match the interface\./],
    ['data that is no list', json({ data: DOMAIN, meta: META }), /at “data”/],
    ['a row that is null', json({ data: [DOMAIN, null], meta: META }), /at “data\.1”/],
    ['a row without its id', json({ data: [DOMAIN, { name: 'y.test' }], meta: META }), /at “data\.1\.uuid”/],
    ['a total in words', json({ data: [], meta: { ...META, total: 'many' } }), /at “meta\.total”/],
    ['a number too large', text(valid.replace('"total":1', '"total":1e999')), /at “meta\.total”/],
    ['more than 5 MB', text(valid.padEnd(5 * 1024 * 1024 + 1)), /larger than 5 MB/],
  ])('%s', async (_, listener, message) => {
    const error = await catchApiError(listAnswered(listener));
    expect(error).toMatchObject({ kind: 'unreadable', isTransient: false, status: expect.any(Number) as number });
    expect(error.message).toMatch(message);
  });

  test.each([301, 302, 307, 308])('a redirect (%i), which is not followed', async (status) => {
    const answer = json({}, status, { location: '/elsewhere', 'x-request-id': 'req-1' });
    const error = await catchApiError(listAnswered(answer));
    expect(error).toMatchObject({ kind: 'unreadable', isTransient: false, requestId: 'req-1' });
    expect(error.message).toMatch(/redirected the request/);
    expect(server.received).toHaveLength(1);
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
    expect(error.message).toBe('The service can’t be reached, or the connection was lost.');
  });

  test('because a gateway got none: the message is the gateway’s', async () => {
    const detail = 'The service behind the gateway did not answer in time.';
    const type = `${GATEWAY_PROBLEM}timeout`;
    const error = await catchApiError(listAnswered(json({ type, detail }, 504, { 'x-request-id': 'g-1' })));
    expect(error).toMatchObject({ kind: 'network', message: detail, requestId: 'g-1', isTransient: true });
  });

  test('offline has its own message', async () => {
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
    expect(error.message).toBe('There was no complete response within 15 seconds.');
  });

  test('because it was aborted: the abort stays an abort', async () => {
    const abort = new AbortController();
    server.answer(() => abort.abort());
    await expect(request(listDomains, {}, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(request(listDomains, {}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
