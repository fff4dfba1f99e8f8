import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../../testing/testFolder.ts';
import { startTestService } from '../../testing/testService.ts';

let folder: TestFolder;

beforeAll(async () => {
  folder = await createTestFolder({
    'index.html': '<!doctype html><style nonce="__CSP_NONCE__"></style>',
    'shared.html': '<!doctype html>',
  });
});

afterAll(() => folder[Symbol.asyncDispose]());

const UUID = '00000000-0000-4000-8000-000000000001';

async function framersOf(path: string, settings: Record<string, string>): Promise<string | undefined> {
  await using service = await startTestService({ consoleDir: folder.path, settings });
  const { headers } = await fetch(service.url + path, { headers: { accept: 'text/html' } });
  expect(headers.get('x-frame-options')).toBeNull();
  return /frame-ancestors ([^;]*)$/.exec(headers.get('content-security-policy') ?? '')?.[1];
}

const DESK = { FRAME_ANCESTORS: 'https://desk.example.com, https://help.example.com/' };

test.each([
  [`/contacts/${UUID}?panel=1`],
  [`/contacts/ada%40example.com?search=&panel=1`],
  [`/w/${UUID}/contacts/${UUID}?panel=1`],
])('%s may be framed by the origins of the setting, and by nobody without it', async (path) => {
  expect(await framersOf(path, DESK)).toBe('https://desk.example.com https://help.example.com');
  expect(await framersOf(path, {})).toBe("'none'");
});

test.each([
  [`/contacts/${UUID}`],
  [`/contacts/${UUID}?panel=${UUID}`],
  [`/contacts?panel=1`],
  [`/contacts/${UUID}/x?panel=1`],
  ['/sign-in?panel=1'],
  ['/?panel=1'],
  [`/domains/x?panel=1`],
])('%s is never framed', async (path) => {
  expect(await framersOf(path, DESK)).toBe("'none'");
});
