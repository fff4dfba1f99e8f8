import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrillResult } from './drill.ts';

const ROOT = join(import.meta.dirname, '..');

type VitestReport = {
  testResults: { message: string; assertionResults: Assertion[] }[];
};
type Assertion = {
  title: string;
  status: string;
  failureMessages: string[];
  meta: { measured?: string };
};

/**
 * Runs a file of tests in the long form of `settings`. Returns a row for each test: what it left as `measured` in its
 * `task.meta`, or that it passed.
 */
export async function* runLongTests(
  folder: string,
  project: 'service' | 'postgres' | 'process' | 'postgres-process',
  file: string,
  settings: Readonly<Record<string, string>> = {},
): AsyncGenerator<DrillResult> {
  const report = join(folder, 'report.json');
  const command = ['run', '--project', project, file, '--reporter=default', '--reporter=json'];
  const runner = spawn(join(ROOT, 'node_modules/.bin/vitest'), [...command, `--outputFile.json=${report}`], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await once(runner, 'close');
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as VitestReport;
  for (const { message, assertionResults } of testResults) {
    if (assertionResults.length === 0) throw new Error(`${file} could not be run: ${message}`);
    for (const { title, status, failureMessages, meta } of assertionResults) {
      const what = `${title} (${project.startsWith('postgres') ? 'PostgreSQL' : 'SQLite'})`;
      const measured = failureMessages[0]?.split('\n')[0] ?? meta.measured ?? status;
      const holds = status === 'passed' ? true : status === 'failed' ? false : null;
      yield { what, expected: 'the test passes in its long form', measured, holds };
    }
  }
}
