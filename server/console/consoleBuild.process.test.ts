import { execFile } from 'node:child_process';
import { glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../testing/testFolder.ts';
import { ensureConsole } from './consoleBuild.ts';

// A console as small as one can be, so that the real build takes a moment only.
const FILES = {
  'CHANGELOG.md': '## [1.0.0]',
  'contract/list.ts': 'export const list = 1;',
  'index.html': '<title>Small</title><script type="module" src="/src/main.ts"></script>',
  'package-lock.json': '{}',
  'public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'server/console/staticConsole.ts': 'export const page = 1;',
  'server/http/files/headers.ts': 'export const policy = 1;',
  'server/http/files/pageStarts.ts': 'export const starts = 1;',
  'shared.html': '<title>Shared</title><script type="module" src="/src/shared.ts"></script>',
  'src/main.ts': 'document.title = "first";',
  'src/shared.ts': 'document.title = "shared";',
  'vite.config.ts': 'export default {};',
};

let folder: TestFolder;
let root: string;

beforeAll(async () => {
  folder = await createTestFolder({ ...FILES, 'package.json': '{ "type": "module" }' });
  root = folder.path;
});
afterAll(() => folder[Symbol.asyncDispose]());

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

/** Whether asking for the console built it. */
async function built(): Promise<boolean> {
  const said: string[] = [];
  const folder = await ensureConsole(root, (sentence) => said.push(sentence));
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('<title>Small</title>');
  return said.length > 0;
}

/** Asks for the console in a process of its own. */
async function buildInProcess(env = process.env): Promise<void> {
  const script = `import { ensureConsole } from ${JSON.stringify(join(import.meta.dirname, 'consoleBuild.ts'))};
    await ensureConsole(${JSON.stringify(root)}, () => undefined);`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env });
}

test('the console is built once, and again when something it is made of changes', async () => {
  expect(await built()).toBe(true);
  expect(await built()).toBe(false);

  await write('src/main.test.ts', 'a test is no part of it');
  expect(await built()).toBe(false);

  for (const path of ['src/main.ts', 'server/http/files/headers.ts', 'package-lock.json'] as const) {
    await write(path, `${FILES[path]}\n`);
    expect(await built(), path).toBe(true);
  }
  expect(await built()).toBe(false);

  await write('src/added.ts', '');
  expect(await built()).toBe(true);
  await rm(join(root, 'src/added.ts'));
  expect(await built()).toBe(true);
});

test('it is built for use, whatever the shell is set up for', async () => {
  await write('src/main.ts', 'document.title = process.env.NODE_ENV;');
  await buildInProcess({ ...process.env, NODE_ENV: 'development' });
  const scripts = await Array.fromAsync(glob(join(root, 'dist/assets/*.js')));
  const texts = await Promise.all(scripts.map((path) => readFile(path, 'utf8')));
  expect(texts.join('')).toMatch(/title=[`'"]production[`'"]/);
});

test('services that start at once from the same sources each find a whole console', async () => {
  await write('src/main.ts', 'document.title = "at once";');
  await Promise.all([buildInProcess(), buildInProcess(), buildInProcess()]);
  expect(await built()).toBe(false);
  const files = await Array.fromAsync(glob('**', { cwd: join(root, 'dist') }));
  // Of the console, and of the page of shared links.
  expect(files.filter((path) => path.endsWith('.js'))).toHaveLength(2);
  const left = await readdir(join(root, 'node_modules'));
  expect(left.filter((name) => name.startsWith('.console-'))).toEqual([]);
});

test('half a build is no build', async () => {
  await built();
  await rm(join(root, 'dist'), { recursive: true });
  expect(await built()).toBe(true);
});
