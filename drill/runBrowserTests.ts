import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

type Spec = { title: string; tests: Test[] };
type Test = { annotations: { type: string; description?: string }[]; results: PlaywrightResult[] };
type PlaywrightResult = { status: string; errors: { message?: string }[] };
export type BrowserTest = { title: string; isPassed: boolean; error: string | undefined; notes: Map<string, string> };

/** Runs the browser tests of a file whose titles match `titles`, in the long form of `settings`. */
export async function runBrowserTests(
  folder: string,
  file: string,
  titles: string,
  settings: Readonly<Record<string, string>>,
): Promise<BrowserTest[]> {
  const report = join(folder, 'report.json');
  const options = ['--project=full', '--reporter=json', `--output=${join(folder, 'browser')}`, `--grep=${titles}`];
  const runner = spawn(join(ROOT, 'node_modules/.bin/playwright'), ['test', file, ...options], {
    cwd: ROOT,
    env: { ...process.env, ...settings, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await once(runner, 'close');
  const { suites } = JSON.parse(await readFile(report, 'utf8')) as { suites: { specs: Spec[] }[] };
  return suites.flatMap(({ specs }) =>
    specs.map(({ title, tests: [test] }) => ({
      title,
      isPassed: test?.results.at(-1)?.status === 'passed',
      error: test?.results.at(-1)?.errors[0]?.message?.split('\n')[0],
      notes: new Map(test?.annotations.map(({ type, description = '' }) => [type, description])),
    })),
  );
}
