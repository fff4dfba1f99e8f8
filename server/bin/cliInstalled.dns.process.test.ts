import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addZone } from '../testing/testDns.ts';
import { DOMAIN, startTestCommand, type TestCommand } from '../testing/processes/testCommand.ts';
import { signInByLink, signInLink } from '../testing/processes/testMain.ts';
import { VERSION } from '../settings/program.ts';

// The package as npm packs and installs it, without the network. Everything needed is in the tarball, except Node,
// which the test puts where npm would put it.

const ROOT = join(import.meta.dirname, '../..');
const SOON = { timeout: 60_000 };
const RIGHT = { type: 'A', name: `track.${DOMAIN}`, value: '192.0.2.1', is_valid: null };

let command: TestCommand;
let folder: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  command = await startTestCommand();
  addZone(command.dns, DOMAIN, [{ type: 'A', name: RIGHT.name, data: RIGHT.value }]);
  folder = await mkdtemp(join(tmpdir(), 'sendroom-installed-'));
  npm(ROOT, 'pack', '--pack-destination', folder);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  npm(folder, 'install', '--offline', '--omit=optional', `./${tarball}`);
}, 180_000);
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(async () => {
  await command[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function npm(cwd: string, ...args: string[]): void {
  execFileSync('npm', [...args, '--no-update-notifier'], { cwd, stdio: 'ignore' });
}

/** The first `node` on the PATH that npm has not added; the project's own if there is none. */
function nodeOfTheMachine(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path)) ?? process.execPath;
}

const NODES: [string, string][] = [
  ['the project', process.execPath],
  ['the machine', nodeOfTheMachine()],
];
const installed = (name: string) => join(folder, 'node_modules/.bin', name);

/** The package of Node that npm installs for this kind of machine. */
async function bringNodeAlong(): Promise<void> {
  const own = dirname(dirname(process.execPath));
  await symlink(own, join(folder, 'node_modules', own.slice(own.lastIndexOf('/') + 1)));
}

test.each(NODES)('sendroom-dns-check works with the Node of %s', async (_, node) => {
  const program = [node, installed('sendroom-dns-check')] as const;
  const missing = { ...RIGHT, name: `other.${DOMAIN}` };
  const right = expect.stringContaining(`ok          A ${RIGHT.name}  MATCH\n`);
  expect(await command.check([RIGHT], [], { program })).toMatchObject({ out: right, err: '' });
  const said = await command.check([RIGHT, missing], ['--format', 'ndjson'], { program });
  expect(said).toMatchObject({ code: 1, out: expect.stringMatching(/"MATCH".*\n.*"NAME_MISSING"/), err: '' });
  const refused = await command.run(['--base-url', 'ftp://a.test'], { program });
  expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('https://api.example.com') });
});

test.each(['start', 'constructor'])('sendroom %s says that there is no such command', (word) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [installed('sendroom'), word], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Unknown command\. .*--help/);
});

test('no sources are packed, and no tools', async () => {
  const root = join(folder, 'node_modules/sendroom');
  expect((await readdir(root)).toSorted()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin',
    'compose.yaml',
    'deploy',
    'dist',
    'docs',
    'node_modules',
    'package.json',
  ]);
  expect((await readdir(join(root, 'bin'))).filter((name) => !name.endsWith('.js'))).toEqual(['licenses.md']);
  const packages = await readdir(join(root, 'node_modules'));
  expect(packages).toContain('fastify');
  for (const tool of ['vite', 'vitest', 'typescript', 'react', '@types']) expect(packages).not.toContain(tool);
});

test('a Node that is too old is told where there is none along', async () => {
  const program = [nodeOfTheMachine(), installed('sendroom')] as const;
  const major = Number.parseInt(execFileSync(program[0], ['--version'], { encoding: 'utf8' }).slice(1), 10);
  const said = await command.run(['admin', '--help'], { program });
  if (major >= 26) expect(said.code).toBe(0);
  else expect(said).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^Sendroom needs Node 26 or newer/) });
});

test.each(NODES)('sendroom and its commands work with the Node of %s', async (_, node) => {
  await bringNodeAlong().catch(() => undefined);
  const program = [node, installed('sendroom')] as const;
  expect(await command.run(['--version'], { program })).toEqual({ code: 0, out: `${VERSION}\n`, err: '' });
  expect(await command.run(['--help'], { program })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Usage: sendroom/),
  });
  expect(await command.run(['serve'], { program })).toMatchObject({ code: 2, out: '' });
  const env = { DATABASE_URL: `file:${join(await mkdtemp(join(folder, 'data-')), 'x.db')}` };
  const made = await command.run(['admin', 'workspace', 'create', '--name', 'Acme'], { program, env });
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('Acme') });
  const help = await command.run(['admin', '--help'], { program, env });
  expect(help).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: sendroom admin /) });
  const right = expect.stringContaining(`ok          A ${RIGHT.name}  MATCH\n`);
  expect(await command.check([RIGHT], [], { program: [...program, 'dns-check'] })).toMatchObject({
    out: right,
    err: '',
  });
});

test('the manual, the unit, the alerts and the OpenAPI document are in the package, and are printed', async () => {
  await bringNodeAlong().catch(() => undefined);
  const program = [process.execPath, installed('sendroom')] as const;
  const print = async (...words: string[]) => {
    const { code, out, err } = await command.run(words, { program });
    expect([code, err], words.join(' ')).toEqual([0, '']);
    return out;
  };
  expect(await print('docs')).toMatch(
    /^The manual is in .*\/node_modules\/sendroom\/docs\n[^]*sendroom docs operations\n/,
  );
  for (const [words, file] of [
    ['docs operations', 'docs/operations.md'],
    ['unit', 'deploy/sendroom.service'],
    ['alerts', 'docs/alerts/sendroom.rules.yml'],
    ['alerts dashboard', 'docs/grafana/sendroom.json'],
  ] as const) {
    expect(await print(...words.split(' '))).toBe(await readFile(join(ROOT, file), 'utf8'));
  }
  expect(JSON.parse(await print('openapi'))).toMatchObject({ openapi: '3.1.1' });
  expect(await command.run(['docs', '../package'], { program })).toMatchObject({ code: 2, out: '' });
  for (const name of ['docs', 'openapi', 'unit', 'alerts'])
    expect(await print(name, '--help')).toMatch(/^Usage: sendroom /);
});

test.each(NODES)(
  'npx starts the service with the Node of %s, console included, and stops it',
  async (_, node) => {
    await bringNodeAlong().catch(() => undefined);
    const cwd = await mkdtemp(join(folder, 'empty-'));
    await mkdir(join(cwd, 'node_modules'));
    await symlink(join(folder, 'node_modules/.bin'), join(cwd, 'node_modules/.bin'));
    const npx = spawn('npx', ['--offline', 'sendroom'], {
      cwd,
      env: { PATH: [dirname(node), process.env.PATH].join(delimiter), HOME: cwd, PORT: '0', DNS_RECHECK: 'off' },
    });
    running.add(npx);
    let out = '';
    npx.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    npx.stderr.setEncoding('utf8').on('data', (text: string) => (out += text));
    await expect.poll(() => signInLink(out), SOON).not.toBeNull();
    const { address, code } = signInLink(out)!;

    expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION });
    const page = await (await fetch(`${address}/domains`, { headers: { accept: 'text/html' } })).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    expect((await fetch(address + script)).headers.get('content-type')).toMatch(/javascript/);
    const signedIn = await signInByLink(address, code);
    const headers = { cookie: signedIn.headers.getSetCookie()[0] ?? '', 'sendroom-console': '1' };
    for (const path of ['/v1/contacts?search=a', '/v1/domains', '/v1/workspace']) {
      expect((await fetch(address + path, { headers })).status, path).toBe(200);
    }

    npx.kill('SIGTERM');
    await once(npx, 'close');
    await expect.poll(() => fetch(`${address}/healthz`).catch(() => null), SOON).toBeNull();
  },
  150_000,
);
