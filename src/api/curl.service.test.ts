import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listContacts } from '#contract/additions.ts';
import { listContactEvents, listDomains, unsubscribeContact, updateContact } from '#contract/interface.ts';
import { must } from '#contract/values/must.ts';
import { setRemoteService } from './client.ts';
import { curlCommand } from './curl.ts';

const ORIGIN = 'https://sendroom.test:8443';
const HOSTILE = `it's "$HOME" \`id\` $(id) !! \\ %2e \n#?&;|<>*~{a,b}[1-2]@ü😀`;
const AUTHORIZED = ['--header', 'Authorization: Bearer sr_secret', '--header', 'Content-Type: application/json'];

let folder: string;

beforeAll(() => setRemoteService({ baseUrl: ORIGIN, token: 'sr_never_shown' }));
afterAll(() => setRemoteService(null));

// A replacement on the PATH, which prints the arguments from the shell.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-curl-'));
  await writeFile(join(folder, 'curl'), `#!/bin/sh\nprintf '%s\\0' "$@"\n`);
  await chmod(join(folder, 'curl'), 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

/** The arguments of curl when a real shell runs `command`. */
async function run(command: string): Promise<string[]> {
  const shell = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { PATH: `${folder}${delimiter}${process.env['PATH']}`, HOME: '/expanded', TOKEN: 'sr_secret' },
  });
  const [output, complaint] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  expect(complaint).toBe('');
  return output.split('\0').slice(0, -1);
}

test('a list is requested as the console requests it', async () => {
  const query = {
    page: 2,
    per_page: 25,
    search: "o'neil & sons",
    sorting: [{ id: 'created_at', desc: true }],
    filters: { subscribed: false },
  };
  const [url = '', ...rest] = await run(must(curlCommand(listContacts, { query })));
  const { origin, pathname, searchParams } = new URL(url);
  expect([origin, pathname]).toEqual([ORIGIN, '/v1/contacts']);
  expect([...searchParams]).toEqual([
    ['page', '2'],
    ['per_page', '25'],
    ['search', "o'neil & sons"],
    ['sorting[]', '{"id":"created_at","desc":true}'],
    ['subscribed', 'false'],
  ]);
  expect(rest).toEqual(AUTHORIZED);
  // curl treats brackets and braces in an address as patterns.
  expect(url).not.toMatch(/[[\]{}]/);
});

test('an action without a body is a POST', async () => {
  const workspace = '0195b3a8-0000-7000-8000-00000000000a';
  expect(await run(must(curlCommand(unsubscribeContact, { workspace, contact: 'a+b@x.test' })))).toEqual([
    `${ORIGIN}/v1/workspaces/${workspace}/contacts/a%2Bb%40x.test/unsubscribe`,
    '--request',
    'POST',
    ...AUTHORIZED,
  ]);
});

test('characters that are special in a shell arrive unchanged', async () => {
  const input = { contact: HOSTILE, body: { attributes: { [HOSTILE]: HOSTILE } } };
  const [url = '', ...rest] = await run(must(curlCommand(updateContact, input)));
  expect(decodeURIComponent(new URL(url).pathname)).toBe(`/v1/contacts/${HOSTILE}`);
  expect(rest).toEqual([...AUTHORIZED, '--data', JSON.stringify(input.body)]);
});

test('the token is never in it', () => {
  expect(curlCommand(listDomains, {})).toContain('Bearer $TOKEN"');
});

test('a value that no URL can contain gives no command', () => {
  expect(curlCommand(listContactEvents, { contact: '..' })).toBeNull();
});
