import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addZone } from './dns/testDns.ts';
import { DOMAIN, startTestCommand, type TestCommand } from './dnsCheck/testCommand.ts';

// The command as npm packs it, below node_modules and with nothing beside it.

const ROOT = join(import.meta.dirname, '..');
const RIGHT = { type: 'A', name: `track.${DOMAIN}`, value: '192.0.2.1', is_valid: null };

let command: TestCommand;
let installed: string;

beforeAll(async () => {
  command = await startTestCommand();
  addZone(command.dns, DOMAIN, [{ type: 'A', name: RIGHT.name, data: RIGHT.value }]);
  const { folder } = command;
  execFileSync('npm', ['pack', '--pack-destination', folder, '--no-update-notifier'], { cwd: ROOT, stdio: 'ignore' });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await mkdir(join(folder, 'node_modules'));
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', join(folder, 'node_modules')]);
  const root = join(folder, 'node_modules/package');
  const { bin } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  installed = join(root, bin['sendroom-dns-check'] ?? '');
});
afterAll(() => command[Symbol.asyncDispose]());

/** The first `node` that npm has not put in front of the others; the project's own where there is none. */
function nodeOfTheMachine(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path)) ?? process.execPath;
}

test.each([
  ['the project', process.execPath],
  ['the machine', nodeOfTheMachine()],
])('it works with the Node of %s', async (_, node) => {
  const program = [node, installed] as const;
  const missing = { ...RIGHT, name: `other.${DOMAIN}` };
  expect(await command.check([RIGHT], ['-q'], { program })).toEqual({ code: 0, out: '', err: '' });
  const said = await command.check([RIGHT, missing], ['--format', 'ndjson'], { program });
  expect(said).toMatchObject({ code: 1, out: expect.stringMatching(/"MATCH".*\n.*"NAME_MISSING"/), err: '' });
  const refused = await command.run(['--base-url', 'ftp://a.test'], { program });
  expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('https://api.example.com') });
});

test('nothing of the service is packed with it', async () => {
  const files = await readdir(join(command.folder, 'node_modules/package'), { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['LICENSE', 'README.md', 'licenses.md', 'package.json', 'sendroom-dns-check.js']);
});
