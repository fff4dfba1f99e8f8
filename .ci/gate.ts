import { spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describeMissingCitus } from '../testing/programs/citus.ts';
import { obtainBrowser } from '../testing/programs/browser.ts';
import { fetchProgram } from '../testing/programs/debianPackages.ts';
import { describeMissingNamespace, wrapInNamespace } from '../testing/programs/namespace.ts';
import { fetchNameServers, fetchSecondOpinions } from '../testing/programs/nameServers.ts';
import {
  describeMissingPackages,
  obtainPackaged,
  obtainPostgres,
  PACKAGED_MAJORS,
} from '../testing/programs/postgresPrograms.ts';

// `npm run gate`, `npm test` and `npm run test:all`: steps one after the other, each to its end. What failed is printed
// after the last one, then a table. Tests run in a network namespace, from which nothing can be fetched
// (docs/decisions/0018-namespace-lab.md), so a step before them obtains what they need.

/** A skipped or flaky test counts as failed. */
type Counts = { passed: number; failed: number };
type Result = Counts & { output: string };
type Step = { name: string; run: () => Promise<Result> };

const ROOT = join(import.meta.dirname, '..');
const RESULTS = join(ROOT, 'test-results');
const STEP_MINUTES = 35;
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;
const missingNamespace = describeMissingNamespace();
const missingPackages = describeMissingPackages();
/** Majors of PostgreSQL that are tested besides this machine's. */
const moreMajors = missingPackages === null ? PACKAGED_MAJORS : [];
const missingCitus = describeMissingCitus();

const gate: Step[] = [
  tool('types', 'tsc', '--noEmit'),
  // Only what is shipped: tests may name browser globals.
  tool('types in Node', 'tsc', '--project', '.ci/tsconfig.node.json'),
  tool('lint', 'oxlint', '--type-aware', '--deny-warnings'),
  tool('format', 'oxfmt', '--check', '.'),
  tool('unused code', 'knip'),
  vitest('tests without input or output', ['unit', 'dom']),
];
const test: Step[] = [
  obtain('browser and PostgreSQL', () => (process.env.CHROMIUM_PATH = obtainBrowser(console.log)), obtainPostgres),
  vitest('service on SQLite, and name servers', ['service', 'dom-service']),
  vitest('engine on PostgreSQL', ['postgres']),
  tool('build', 'node', 'server/console/buildConsole.ts'),
  playwright('browser', '--project=full', '--project=bare', '--grep-invert=@sweep'),
];
const rest: Step[] = [
  obtain(
    'name servers and tools',
    () => fetchProgram('prometheus'),
    () => fetchProgram('strace'),
    ...(missingNamespace === null ? [fetchNameServers, fetchSecondOpinions] : []),
    ...moreMajors.map((major) => () => obtainPackaged(major)),
  ),
  vitest('processes on SQLite', ['process']),
  vitest('processes on PostgreSQL', ['postgres-process']),
  ...moreMajors.map((major) =>
    vitest(`engine and processes, PostgreSQL ${major}`, ['postgres', 'postgres-process'], {
      TEST_POSTGRES: major,
      TEST_DATABASE_URL: '',
    }),
  ),
  ...(missingCitus === null ? [vitest('engine on Citus', ['citus'])] : []),
  vitest('name servers of the lab', ['lab']),
  playwright('browser, sweeps', '--project=full', '--project=bare', '--grep=@sweep'),
  playwright('browser, without additions', '--project=again without additions'),
];
const modes: Record<string, Step[]> = {
  gate,
  test: [...gate, ...test],
  all: [...gate, ...test, ...rest],
  e2e: [...test, ...rest].filter(({ name }) => name.startsWith('browser')),
};

async function main([mode = 'test']: string[]): Promise<void> {
  await rm(RESULTS, { recursive: true, force: true });
  await mkdir(RESULTS);
  const missing = [missingNamespace, ...(mode === 'all' ? [missingPackages, missingCitus] : [])];
  for (const sentence of missing) if (sentence !== null) console.log(sentence);
  const table: string[] = [];
  const failures: string[] = [];
  const total = { passed: 0, failed: 0 };
  for (const { name, run } of modes[mode] ?? []) {
    const start = performance.now();
    const { output, ...counts } = await run();
    total.passed += counts.passed;
    total.failed += counts.failed;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const row = [
      name.padEnd(36),
      ...Object.values(counts).map((count) => String(count).padStart(7)),
      seconds.padStart(7),
    ];
    console.log(`${counts.failed > 0 ? 'FAILED' : 'ok    '} ${name} (${seconds} s)`);
    table.push(row.join(' '));
    if (counts.failed > 0) failures.push(`\n=== ${name} ===\n${output}`);
  }
  for (const failure of failures) console.log(failure);
  console.log(['\nstep'.padEnd(37), ' passed', ' failed', 'seconds'].join(' '));
  console.log(table.join('\n'));
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 || table.length === 0 ? 1 : 0;
}

function tool(name: string, program: string, ...args: string[]): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await start([program, ...args]);
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
    },
  };
}

/** What could not be obtained is said here, and by the test that needs it. */
function obtain(name: string, ...what: (() => unknown)[]): Step {
  const run = async (): Promise<Result> => {
    const missing = what.flatMap((obtainOne) => {
      try {
        obtainOne();
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
    return { passed: what.length - missing.length, failed: missing.length, output: missing.join('\n') };
  };
  return { name, run };
}

function vitest(name: string, projects: string[], env?: Record<string, string>): Step {
  const report = join(RESULTS, `${name}.json`);
  const options = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${report}`];
  const command = ['vitest', 'run', ...options, ...projects.flatMap((project) => ['--project', project])];
  return { name, run: () => runTests(command, report, env) };
}

function playwright(name: string, ...options: string[]): Step {
  const report = join(RESULTS, `${name}.json`);
  const command = ['playwright', 'test', '--reporter=dot,json', ...options];
  return { name, run: () => runTests(command, report, { PLAYWRIGHT_JSON_OUTPUT_FILE: report }) };
}

type VitestReport = { numPassedTests: number; numFailedTests: number; numPendingTests: number };
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };

function countTests(report: VitestReport | PlaywrightReport): Counts {
  if (!('stats' in report))
    return { passed: report.numPassedTests, failed: report.numFailedTests + report.numPendingTests };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky + skipped };
}

/** A runner that executed nothing, or that fails without a failed test, counts as failed. */
async function runTests(command: string[], file: string, env: Record<string, string> = {}): Promise<Result> {
  const { code, output } = await start(command, { TMPDIR: temporaryFolder(), ...env }, missingNamespace === null);
  const report = await readFile(file, 'utf8').catch(() => null);
  const nothing = { passed: 0, failed: 0 };
  const counts = report === null ? nothing : countTests(JSON.parse(report) as VitestReport | PlaywrightReport);
  const isBroken = counts.failed === 0 && (code !== 0 || counts.passed === 0);
  return { ...counts, ...(isBroken && { failed: 1 }), output };
}

/** In memory where there is room: of the files of tests nothing has to reach a disk, and waiting for it takes a third of the time. */
function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Runs a program of the project with the pinned Node, in the namespace if `isInside`. */
function start(
  [program = '', ...args]: string[],
  env: Record<string, string> = {},
  isInside = false,
): Promise<{ code: number; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  const programs = join(ROOT, 'node_modules/.bin');
  const command = [join(programs, program), ...args];
  const [file = '', ...others] = isInside ? wrapInNamespace(command) : command;
  const PATH = `${programs}${delimiter}${process.env.PATH}`;
  const child = spawn(file, others, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, PATH },
    timeout: STEP_MINUTES * 60_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.on('error', (error) => resolve({ code: 1, output: error.message }));
  child.on('close', (code) => resolve({ code: code ?? 1, output }));
  return promise;
}

await main(process.argv.slice(2));
