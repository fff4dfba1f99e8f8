import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
    ...['acceptance/disk', 'cli/admin/files/backup', 'cli/admin/files/restore'].flatMap((file) =>
      eachOf(['process'], `${file}.process`, {}),
    ),
  ],
);
const { SIMULATED_DOMAINS = '200', SIMULATED_DAYS = '1000' } = process.env;
export const domainHistory = drillOf(
  'history',
  'a thousand days of scripted DNS of 200 domains: history, incidents and messages are what a naive model says',
  180,
  [
    ...eachOf(ENGINES, 'acceptance/domainHistory.engine', { SIMULATED_DOMAINS, SIMULATED_DAYS }),
    ...eachOf(PROCESSES, 'notifications/kills.engine.process', {}),
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
    async *run() {
      for (const test of tests) yield await runTest(test);
    },
  };
}

/** Shows the output of the test, and returns whether it passed. */
async function runTest({ project, file, titles = '.', settings }: LongTest): Promise<DrillResult> {
  const tool = project === 'full' ? 'playwright' : 'vitest';
  const args = project === 'full' ? ['test', '--project=full', `--grep=${titles}`] : ['run', '--project', project];
  const child = spawn(join(ROOT, 'node_modules/.bin', tool), [...args, file], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    what: `${file} (${project})`,
    expected: 'passes with its large sample',
    measured: code === 0 ? 'passed' : `${tool} ended with ${code}`,
    holds: code === 0,
  };
}
