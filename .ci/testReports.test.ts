import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { listBrowserFailures, listUnitFailures } from './testReports.ts';

const VITEST = ['run', '--root=.', '--reporter=json', '--outputFile.json=report.json'];

/** Runs a test runner of the project in a folder of one file, and reads its report. It fails, as its tests do. */
async function reportOf(runner: string, name: string, source: string, args: string[]): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-runner-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, name), source);
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, 'report.json') };
  await new Promise((resolve) => {
    execFile(join(import.meta.dirname, '../node_modules/.bin', runner), args, { cwd: folder, env }, resolve);
  });
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
}

test('a unit test that fails, or is left out, is named with the first lines of why', async () => {
  const source = `
    import { describe, expect, test } from 'vitest';
    describe('sums', () => {
      test('one and one', () => expect(1 + 1).toBe(3));
      test('two and two', () => expect(2 + 2).toBe(4));
      test.todo('three and three');
    });
  `;
  const failures = listUnitFailures((await reportOf('vitest', 'sums.test.ts', source, VITEST)) as never);
  expect(failures).toEqual([
    expect.stringMatching(/sums\.test\.ts sums one and one\n {2}AssertionError: expected 2 to be 3/),
    expect.stringMatching(/sums\.test\.ts sums three and three\n {2}todo$/),
  ]);
  expect(failures[0]?.split('\n').length).toBeLessThan(15);
});

test.each([
  ['cannot be loaded', `import './nothing.ts';`, /no\.test\.ts\n[^]*nothing\.ts/],
  [
    'fails after its tests',
    `import { afterAll, test } from 'vitest';
    test('nothing', () => {});
    afterAll(() => Promise.reject(new Error('it does not stop')));`,
    /no\.test\.ts\n {2}it does not stop$/,
  ],
])('a file that %s is named', async (_, source, failure) => {
  const failures = listUnitFailures((await reportOf('vitest', 'no.test.ts', source, VITEST)) as never);
  expect(failures).toEqual([expect.stringMatching(failure)]);
});

test('a browser test that fails is named with its project, file and line', async () => {
  const source = `
    import { expect, test } from '@playwright/test';
    test.describe('sums', () => {
      test('one and one', () => expect(1 + 1).toBe(3));
      test('two and two', () => expect(2 + 2).toBe(4));
    });
  `;
  const failures = listBrowserFailures(
    (await reportOf('playwright', 'sums.spec.ts', source, ['test', '--reporter=json'])) as never,
  );
  expect(failures).toEqual([expect.stringMatching(/^\[\] sums\.spec\.ts:4 one and one\n {2}Error: expect\(/)]);
});
