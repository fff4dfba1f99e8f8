import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listDomains } from '#contract/interface.ts';
import { request, setRemoteService } from '../api/client.ts';
import { catchApiError } from '../testing/testServer.ts';
import { connectToRemoteService } from './remoteService.ts';
import { sessionProvider } from './session.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const NO_DOMAINS = { data: [], meta: { current_page: 1, per_page: 1, total: 0, last_page: 1, has_next: false } };
const anyJson = (body: string, status = 200) => new Response(body, { status, headers: JSON_TYPE });

let answers: Record<string, () => Response>;
const before = sessionProvider.read();

beforeEach(() => {
  answers = {
    '/config.json': () => Response.json({ base_url: 'https://api.example.com' }),
    '/v1/domains': () => Response.json(NO_DOMAINS),
  };
  vi.stubGlobal('fetch', (address: string) => {
    const answer = answers[new URL(address).pathname];
    return Promise.resolve(answer?.() ?? new Response(null, { status: 404 }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionProvider.write(before);
  setRemoteService(null);
  document.head.replaceChildren();
});

const open = (workspace?: string) =>
  sessionProvider.read().open?.({ token: 't', ...(workspace !== undefined && { workspace }) }) ?? Promise.reject();

test.each([
  '{ "base_url": "api.example.com" }',
  '{ "base_url": "http://api.example.com" }',
  '{ "base_url": "ftp://api.example.com" }',
  '{ "base_url": "https://api.example.com?x" }',
  '{ "base_url": "https://api.example.com/#x" }',
  '{}',
  '<!doctype html>',
  '',
])('a config.json with %j has its own message', async (config) => {
  answers['/config.json'] = () => anyJson(config);
  const error = await catchApiError(connectToRemoteService());
  expect(error).toMatchObject({
    kind: 'unreadable',
    message: expect.stringContaining('config.json next to') as string,
  });
});

test('the page may call only the service of config.json', async () => {
  await connectToRemoteService();
  expect(document.head.innerHTML).toContain('"Content-Security-Policy" content="connect-src https://api.example.com"');
});

test('a service that returns its workspace accepts a sign-in with none, or with this one', async () => {
  const uuid = 'aaaaaaaa-0000-4000-8000-000000000001';
  const data = { uuid, name: 'Acme', identity_field: null, role: 'read', capabilities: [] };
  answers['/v1/workspace'] = () => Response.json({ data });
  await connectToRemoteService();
  for (const typed of [undefined, uuid.toUpperCase()])
    await expect(open(typed)).resolves.toMatchObject({ workspace_uuid: uuid });
  expect(await catchApiError(open('v'))).toMatchObject({ status: 403 });
});

describe('a service that has only the interface', () => {
  test.each<[string, () => Response]>([
    ['401', () => anyJson('{"error":"unknown route"}', 401)],
    ['403', () => anyJson('{"message":"Missing Authentication Token"}', 403)],
    ['404', () => new Response('<h1>Not Found</h1>', { status: 404 })],
    ['500', () => new Response('<h1>Oops</h1>', { status: 500 })],
    ['a web page', () => new Response('<!doctype html><title>Welcome</title>')],
    ['nothing', () => new Response(null, { status: 204 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://attacker.test/' } })],
    ['another shape', () => anyJson('{"data":{"id":7,"name":"Acme"}}')],
    ['6 MB', () => anyJson(' '.repeat(6_000_000))],
    ['a broken connection', () => Response.error()],
  ])('signs in where it answers for the workspace with %s', async (_, answer) => {
    answers['/v1/workspace'] = answer;
    await connectToRemoteService();
    await expect(open('w')).resolves.toMatchObject({ workspace_uuid: 'w', name: null, capabilities: [] });
    await expect(sessionProvider.read().read()).resolves.toMatchObject({ workspace_uuid: 'w' });
  });

  test.each([
    [401, 'The service refused the token. It may be mistyped or revoked.'],
    [403, 'This token is valid but can’t be used to sign in.'],
  ])('refuses a sign-in whose token it answers with %d', async (status, message) => {
    answers['/v1/domains'] = () => new Response(null, { status });
    await connectToRemoteService();
    expect(await catchApiError(open())).toMatchObject({ kind: 'status', status, message });
    await expect(sessionProvider.read().read()).resolves.toBeNull();
  });

  test.each([
    ['that it has refused', 401, () => catchApiError(open())],
    ['after a sign-out', 200, async () => open().then(() => sessionProvider.read().close())],
  ])('is not sent a token again %s', async (_, status, signIn) => {
    if (status !== 200) answers['/v1/domains'] = () => new Response(null, { status });
    await connectToRemoteService();
    await signIn();
    const fetched = vi.fn<typeof fetch>(async () => Response.json(NO_DOMAINS));
    vi.stubGlobal('fetch', fetched);
    await request(listDomains, {});
    expect(fetched.mock.lastCall?.[1]?.headers).not.toHaveProperty('authorization');
  });
});
