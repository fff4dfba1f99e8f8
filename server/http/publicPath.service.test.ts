import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../testing/testFolder.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

// The proxy in front removes the path, so requests look as usual; URLs for the browser have it.

const PAGE = `<meta name="sendroom-path" content="" /><link href="/assets/a.css"><script src="/color-scheme.js"></script>
<link rel="icon" href="data:image/svg+xml,%3csvg%20xmlns='http://www.w3.org/2000/svg'/%3e" />`;
const CONSOLE = { 'sendroom-console': '1', origin: 'https://example.com' };

let folder: TestFolder;
let service: TestService;
let token: string;

beforeAll(async () => {
  folder = await createTestFolder({ 'index.html': PAGE, 'shared.html': PAGE });
  service = await startTestService({
    consoleDir: folder.path,
    settings: { PUBLIC_URL: 'https://example.com/sendroom' },
  });
  const workspace = await createWorkspace(service.database, { name: 'Acme', identity_field: null }, 0);
  ({ token } = await createToken(workspace, service.database, { name: 'test', role: 'admin' }, 0));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('the page names its files, and itself, under that path', async () => {
  for (const page of ['/domains', '/shared']) await expectPage(page);
});

async function expectPage(path: string): Promise<void> {
  const response = await service.call(path, { headers: { accept: 'text/html' } });
  const text = await response.text();
  expect(text).toContain('<meta name="sendroom-path" content="/sendroom" />');
  expect(text).toContain('<link href="/sendroom/assets/a.css">');
  expect(text).toContain('<script src="/sendroom/color-scheme.js">');
  expect(text).toContain("xmlns='http://www.w3.org/2000/svg'");
}

test('the cookie is for that path alone, and its prefix is the one that allows a path', async () => {
  const response = await service.call('/session', { method: 'POST', json: { token }, headers: CONSOLE });
  expect(response.status).toBe(200);
  const [cookie = ''] = response.headers.getSetCookie();
  expect(cookie).toMatch(
    /^__Secure-sendroom=[\w-]{43}; Max-Age=43200; Path=\/sendroom\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const session = { headers: { ...CONSOLE, cookie: cookie.split(';')[0] ?? '' } };
  expect((await service.call('/v1/domains', session)).status).toBe(200);

  const ended = await service.call('/session', { ...session, method: 'DELETE' });
  expect(ended.headers.getSetCookie()[0]).toMatch(/^__Secure-sendroom=; .*Path=\/sendroom\/;/);
  // It would clear the data of other applications on this host.
  expect(ended.headers.has('clear-site-data')).toBe(false);
  expect((await service.call('/v1/domains', session)).status).toBe(401);
});

test('a redirect stays under that path', async () => {
  const response = await service.call('/contacts/50%', { headers: { accept: 'text/html' }, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/sendroom/contacts/50%25']);
});
