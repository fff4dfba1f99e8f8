import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { obtainBrowser } from '../e2e/browser.ts';
import { fetchProgram } from '../lab/debianPackages.ts';
import { wrapInNamespace, describeMissingNamespace } from '../lab/namespace.ts';
import { fetchPrograms } from '../lab/programs.ts';
import { fetchSecondOpinions } from '../lab/secondOpinion.ts';
import { ensureConsole } from '../server/console/consoleBuild.ts';
import { audit } from './audit.ts';
import { whyDatabaseUnreachable } from './unreachableDatabase.ts';
import { readLock, readManifest } from './lockFile.ts';
import { listShippedPackages } from './shippedPackages.ts';
import { obtainPostgres } from './startPostgres.ts';
import { listBrowserFailures, listUnitFailures, type BrowserReport, type UnitReport } from './testReports.ts';

// `npm test` runs everything, `npm run check` what takes about a minute, `npm run e2e` the browser only. A failed step
// does not stop the next one; only the browser tests need a successful build. Tests run in a network namespace, from
// which nothing can be fetched (docs/decisions/0018-namespace-lab.md), so what they need is fetched before. Without
// namespaces they run outside of one, except those that need it.

type TestCounts = { passed: number; failed: number };
type Step = { name: string; run: () => Promise<TestCounts> };

const ROOT = join(import.meta.dirname, '..');
const RESULTS = join(ROOT, 'test-results');
const RUNNER_MINUTES = 35;
const PASSED: TestCounts = { passed: 1, failed: 0 };
const FAILED: TestCounts = { passed: 0, failed: 1 };
/** Repeated at the end, where they are looked for: the output of all tests has ten thousand lines. */
const failures: string[] = [];

const tools: Step[] = [
  { name: 'types', run: () => command('tsc', '--noEmit') },
  // Only what is shipped: tests may name browser globals.
  { name: 'types in Node', run: () => command('tsc', '--project', '.ci/tsconfig.node.json') },
  { name: 'lint', run: () => command('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'format', run: () => command('oxfmt', '--check', '.') },
  { name: 'unused code', run: () => command('knip') },
];

const quickTests: Step = {
  name: 'unit tests',
  run: () => vitest(['--project', 'node', '--project', 'dom']),
};
const allTests: Step = {
  name: 'unit and service tests',
  run: async () => {
    await fetchPrerequisites(
      obtainPostgres,
      () => fetchProgram('prometheus'),
      () => fetchProgram('strace'),
      ...(describeMissingNamespace() === null ? [fetchPrograms, fetchSecondOpinions] : []),
    );
    if (whyDatabaseUnreachable() === null) return vitest(['--project', '!lab']);
    const inside = await vitest(['--project', '!postgres', '--project', '!lab']);
    const outside = await vitest(['--project', 'postgres'], { isInside: false });
    return add(inside, outside);
  },
};

/** Without a registry this is no failure: the machine may be offline, and the next run asks again. */
const auditStep: Step = {
  name: 'audit of what is shipped',
  run: async () => {
    const { vulnerabilities, summary } = await audit(listShippedPackages(readLock(), readManifest()));
    for (const line of [...(vulnerabilities ?? []), summary]) console.log(line);
    return vulnerabilities === null || vulnerabilities.length === 0 ? PASSED : FAILED;
  },
};

const browserTests: Step = { name: 'browser tests', run: runBrowserTests };
/** Beside each other, because the tests of the DNS lab run one after the other and mostly wait. */
const browserAndLabTests: Step = {
  name: 'browser tests, and those of the DNS lab',
  run: async () => add(...(await Promise.all([runBrowserTests(), vitest(['--project', 'lab'], { quiet: true })]))),
};

const modes: Record<string, Step[]> = {
  all: [...tools, auditStep, allTests, browserAndLabTests],
  check: [...tools, quickTests],
  e2e: [browserTests],
};

async function main([mode = 'all', ...rest]: string[]): Promise<void> {
  const steps = modes[mode];
  if (steps === undefined || rest.length > 0)
    throw new Error(`Say one of ${Object.keys(modes).join(', ')}, or nothing.`);
  await rm(RESULTS, { recursive: true, force: true });
  await mkdir(RESULTS);
  const total = { passed: 0, failed: 0 };
  for (const step of steps) {
    const start = performance.now();
    const outcome = await step.run();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${outcome.failed > 0 ? 'FAILED' : 'ok    '} ${step.name} (${seconds} s)`);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    if (outcome.failed > 0) failures.push(`${outcome.failed} failed: ${step.name}`);
  }
  for (const failure of failures) console.log(failure.replace(`${ROOT}/`, ''));
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

/** A tool that passes or fails as a whole. Its output is shown only when it fails. */
async function command(name: string, ...args: string[]): Promise<TestCounts> {
  const { code, output } = await run(name, args, { quiet: true });
  if (code === 0) return PASSED;
  console.log(output);
  return FAILED;
}

/** Before the tests, which have no network. A test that needs what could not be fetched reports it, too. */
async function fetchPrerequisites(...what: (() => unknown)[]): Promise<void> {
  for (const fetchOne of what) {
    try {
      await fetchOne();
    } catch (error) {
      console.log((error as Error).message);
    }
  }
}

async function vitest(options: string[], { isInside = true, quiet = false } = {}): Promise<TestCounts> {
  const file = join(RESULTS, `${quiet ? 'lab' : 'unit'}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { code, output } = await run('vitest', ['run', ...reporters, ...options], { isInside, quiet });
  if (quiet) console.log(output);
  const report = await readReport<UnitReport>(file);
  if (report === null) return FAILED;
  return toTestCounts(code, report.numPassedTests, listUnitFailures(report));
}

async function runBrowserTests(): Promise<TestCounts> {
  try {
    process.env.CHROMIUM_PATH = obtainBrowser(console.log);
  } catch (error) {
    console.log((error as Error).message);
    return FAILED;
  }
  try {
    await ensureConsole(ROOT, console.log);
  } catch (error) {
    console.log(error);
    return FAILED;
  }
  if (describeMissingNamespace() === null) await fetchPrerequisites(fetchPrograms);
  const file = join(RESULTS, 'e2e.json');
  const { code } = await run('playwright', ['test', '--reporter=list,json'], {
    isInside: true,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  const report = await readReport<BrowserReport>(file);
  if (report === null) return FAILED;
  return toTestCounts(code, report.stats.expected, listBrowserFailures(report));
}

function add(one: TestCounts, other: TestCounts): TestCounts {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}

/** A runner that executed nothing, or that fails without a failed test, counts as failed. */
function toTestCounts(code: number, passed: number, failed: readonly string[]): TestCounts {
  failures.push(...failed);
  if (passed + failed.length === 0) console.log('No test was executed.');
  return { passed, failed: failed.length === 0 && (code !== 0 || passed === 0) ? 1 : failed.length };
}

async function readReport<Report>(file: string): Promise<Report | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report;
  } catch (error) {
    console.log(`The test runner left no report: ${(error as Error).message}`);
    return null;
  }
}

type RunOptions = { quiet?: boolean; isInside?: boolean; env?: Record<string, string> };

/**
 * Runs a program of the project. `quiet` collects its output instead of showing it. `isInside` runs it in a network
 * namespace if there can be one.
 */
function run(name: string, args: string[], options: RunOptions = {}): Promise<{ code: number; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  const command = [join(ROOT, 'node_modules/.bin', name), ...args];
  const [file = '', ...rest] =
    options.isInside && describeMissingNamespace() === null ? wrapInNamespace(command) : command;
  const child = spawn(file, rest, {
    cwd: ROOT,
    stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...options.env,
      // The pinned Node, also when this is started without npm.
      PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
    },
    timeout: RUNNER_MINUTES * 60_000,
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.on('error', (error) => resolve({ code: 1, output: error.message }));
  child.on('close', (code) => resolve({ code: code ?? 1, output }));
  return promise;
}

await main(process.argv.slice(2));
