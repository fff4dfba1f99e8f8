import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Drill, DrillResult } from './drill.ts';

// Drills that are tests of `npm run test:all` with larger samples, which variables ask for.

const ROOT = join(import.meta.dirname, '../..');

type Settings = Readonly<Record<string, string>>;
type LongTest = { project: string; file: string; titles?: string; settings?: Settings };

const ENGINES = ['service', 'postgres'] as const;
const PROCESSES = ['process', 'postgres-process'] as const;
const eachOf = (projects: readonly string[], file: string, settings: Settings): LongTest[] =>
  projects.map((project) => ({ project, file: `server/${file}.test.ts`, settings }));
const browser = (file: string, settings: Settings, titles = '.'): LongTest => ({
  project: 'full',
  file: `${file}.spec.ts`,
  titles,
  settings,
});

export const durability = drillOf(
  'durability',
  'kills of the service while it writes, and disks that fail, lose nothing',
  120,
  [
    ...eachOf(PROCESSES, 'acceptance/crash.engine.process', { CRASH_ROUNDS: '200' }),
    ...eachOf(ENGINES, 'contacts/consent.engine', { CONSENT_RUNS: '200' }),
    ...['acceptance/disk', 'admin/backup', 'admin/restore'].flatMap((file) =>
      eachOf(['process'], `${file}.process`, {}),
    ),
  ],
);
export const databaseAway = drillOf(
  'away',
  'PostgreSQL is stopped or stands still for 30 s: every request is answered',
  15,
  eachOf(['postgres-process'], 'acceptance/databaseAway.postgres.process', { AWAY_SECONDS: '30' }),
);
export const foreignOrMissing = drillOf(
  'foreign',
  'what another workspace has and what nobody has are answered after the same time: 2,000 samples of each',
  30,
  eachOf(ENGINES, 'acceptance/foreignOrMissing.engine', { FOREIGN_SAMPLES: '2000' }),
);
export const hostileInput = drillOf(
  'hostile-input',
  'a hundred thousand hostile requests to the service, on each engine',
  60,
  eachOf(ENGINES, 'acceptance/hostileInput.engine', { HOSTILE_REQUESTS: '100000' }),
);
export const everyScreen = drillOf(
  'every-screen',
  'each screen of the console lives with each of the ways in which a service can answer badly',
  30,
  [browser('everyScreen', { EVERY_SCREEN: '1' }, 'answers')],
);
export const payloads = drillOf(
  'payloads',
  'each text that would have an effect as markup, in each field of the console, received and typed',
  60,
  [browser('payloads', { EVERY_PAYLOAD: '1' }), browser('typed', { EVERY_PAYLOAD: '1' })],
);
function drillOf(name: string, description: string, minutesMax: number, tests: readonly LongTest[]): Drill {
  return {
    name,
    description,
    minutesMax,
    async *run(folder) {
      for (const test of tests) yield* test.project === 'full' ? runBrowser(folder, test) : runVitest(folder, test);
    },
  };
}

type Assertion = { title: string; status: string; failureMessages: string[]; meta: { measured?: string } };
type VitestReport = { testResults: { message: string; assertionResults: Assertion[] }[] };
type BrowserTest = {
  annotations: { type: string; description?: string }[];
  results: { status: string; errors: { message?: string }[] }[];
};
type BrowserReport = { suites: { specs: { title: string; tests: BrowserTest[] }[] }[] };

/** A row for each test, with what it left as `measured` in its `task.meta`. */
async function* runVitest(folder: string, { project, file, settings }: LongTest): AsyncGenerator<DrillResult> {
  const outputFile = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  await runTool('vitest', ['run', '--project', project, file, ...reporters], { ...settings });
  const { testResults } = JSON.parse(await readFile(outputFile, 'utf8')) as VitestReport;
  for (const { message, assertionResults } of testResults) {
    if (assertionResults.length === 0) throw new Error(`${file} could not be run: ${message}`);
    for (const { title, status, failureMessages, meta } of assertionResults)
      yield rowOf(`${title} (${project})`, status, failureMessages[0], meta.measured);
  }
}

/** A row for each test, with what it left as annotations. */
async function* runBrowser(folder: string, { file, titles, settings }: LongTest): AsyncGenerator<DrillResult> {
  const outputFile = join(folder, 'report.json');
  const options = ['--project=full', '--reporter=json', `--output=${join(folder, 'browser')}`, `--grep=${titles}`];
  await runTool('playwright', ['test', file, ...options], { ...settings, PLAYWRIGHT_JSON_OUTPUT_NAME: outputFile });
  const { suites } = JSON.parse(await readFile(outputFile, 'utf8')) as BrowserReport;
  for (const { title, tests } of suites.flatMap(({ specs }) => specs)) {
    const result = tests[0]?.results.at(-1);
    const notes = tests[0]?.annotations.map(({ type, description = '' }) => `${description} ${type}`.trim()).join(', ');
    yield rowOf(`${file}: ${title}`, result?.status ?? 'not run', result?.errors[0]?.message, notes);
  }
}

async function runTool(tool: string, args: readonly string[], env: Settings): Promise<void> {
  const child = spawn(join(ROOT, 'node_modules/.bin', tool), args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await once(child, 'close');
}

function rowOf(what: string, status: string, failure: string | undefined, measured = ''): DrillResult {
  const holds = status === 'passed' ? true : ['failed', 'timedOut'].includes(status) ? false : null;
  return {
    what,
    expected: 'the test passes with its large sample',
    measured: failure?.split('\n')[0] ?? (measured || status),
    holds,
  };
}
