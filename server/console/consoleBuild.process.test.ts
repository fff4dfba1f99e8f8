import { execFile } from 'node:child_process';
import { glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../testing/testFolder.ts';
import { ensureConsole } from './consoleBuild.ts';

// A console as small as one can be, so that the real build takes a moment only.
const FILES = {
  'contract/list.ts': 'export const list = 1;',
  'index.html': '<title>Small</title><script type="module" src="/src/main.ts"></script>',
  'package-lock.json': '{}',
  'postcss.config.mjs': 'export default {};',
  'public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'server/http/headers.ts': 'export const policy = 1;',
  'src/main.ts': 'document.title = "first";',
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

const execute = promisify(execFile);

/** Asks for the console in a process of its own, then runs `more`, and gives the output. */
async function buildInProcess(more = '', env = process.env): Promise<string> {
  const script = `import { ensureConsole } from ${JSON.stringify(join(import.meta.dirname, 'consoleBuild.ts'))};
    await ensureConsole(${JSON.stringify(root)}, () => undefined); ${more}`;
  return (await execute(process.execPath, ['--input-type=module', '--eval', script], { env })).stdout;
}

test('the console is built once, and again when something it is made of changes', async () => {
  expect(await built()).toBe(true);
  expect(await built()).toBe(false);

  await write('src/main.test.ts', 'a test is no part of it');
  expect(await built()).toBe(false);

  for (const path of Object.keys(FILES)) {
    await write(path, `${FILES[path as keyof typeof FILES]}\n`);
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
  await buildInProcess('', { ...process.env, NODE_ENV: 'development' });
  const scripts = await Array.fromAsync(glob(join(root, 'dist/assets/*.js')));
  const texts = await Promise.all(scripts.map((path) => readFile(path, 'utf8')));
  expect(texts.join('')).toMatch(/title=[`'"]production[`'"]/);
});

test('while it is built, the one before stays whole', async () => {
  await write('vite.config.ts', 'export default {};');
  await built();
  const before = await readFile(join(root, 'dist/.sources'), 'utf8');
  await write(
    'vite.config.ts',
    `import { copyFileSync } from 'node:fs';
    const closeBundle = () => copyFileSync(${JSON.stringify(join(root, 'dist/.sources'))}, ${JSON.stringify(join(root, 'seen'))});
    export default { plugins: [{ name: 'look', closeBundle }] };`,
  );
  expect(await built()).toBe(true);
  expect(await readFile(join(root, 'seen'), 'utf8')).toBe(before);
  await write('vite.config.ts', 'export default {};');
});

test('a build that fails says why: here there are more files than the names of six letters can tell apart', async () => {
  const parts = Array.from({ length: 70 }, (_, index) => `part${index}.ts`);
  for (const part of parts) await write(`src/${part}`, `document.title = '${part}';`);
  await write('src/main.ts', parts.map((part) => `void import('./${part}');`).join('\n'));
  await write('vite.config.ts', `export { default } from ${JSON.stringify(resolve('vite.config.ts'))};`);
  const build = execute(process.execPath, [join(import.meta.dirname, 'buildConsole.ts'), root]);
  await expect(build).rejects.toMatchObject({ stderr: expect.stringMatching(/minimum hash size of 7, received 6/) });
  for (const part of parts) await rm(join(root, 'src', part));
  await write('src/main.ts', FILES['src/main.ts']);
  await write('vite.config.ts', FILES['vite.config.ts']);
});

test('services that start at once from the same sources each find a whole console', async () => {
  await write('src/main.ts', 'document.title = "at once";');
  await Promise.all([buildInProcess(), buildInProcess(), buildInProcess()]);
  expect(await built()).toBe(false);
  const files = await Array.fromAsync(glob('**', { cwd: join(root, 'dist') }));
  expect(files.filter((path) => path.endsWith('.js'))).toHaveLength(1);
  const left = await readdir(join(root, 'node_modules'));
  expect(left.filter((name) => name.startsWith('.console-'))).toEqual([]);
});

test('half a build is no build', async () => {
  await built();
  await rm(join(root, 'dist'), { recursive: true });
  expect(await built()).toBe(true);
});

test('the memory that the build took is not the memory of the service', async () => {
  const tellMemory = 'process.stdout.write(String(process.memoryUsage.rss()));';
  await write('src/main.ts', 'document.title = "built";');
  const building = Number(await buildInProcess(tellMemory));
  expect(building).toBeLessThan(1.5 * Number(await buildInProcess(tellMemory)));
});
