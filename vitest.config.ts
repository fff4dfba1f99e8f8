import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { whyDatabaseUnreachable } from './.ci/unreachableDatabase.ts';
import { describeMissingNamespace } from './lab/namespace.ts';

// Processes and threads that tests start inherit it: it halves the processor time of their start.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'sendroom-tests-compiled');

/** Bundles the programs that tests start. */
const BUNDLED = '.ci/bundlePrograms.ts';

/** Milliseconds; high enough for a busy machine, so that only a hang exceeds it. */
const testTimeout = 60_000;

/** Tests of SQLite files, of commands that query the DNS, and of what has no data. */
const NOT_ON_POSTGRES = [
  'server/database/sqlite/{databaseFile,openSqlite,searchIndex}.test.ts',
  'server/admin/{backup,importLimits,restore}.test.ts',
  'server/dnsCheck/cliDnsCheck*.test.ts',
  'server/gateway/*.test.ts',
  'server/metrics/scrapes.test.ts',
  'server/http/{crossOrigin,probes,problems,smuggling}.test.ts',
  'server/acceptance/disk.test.ts',
];
/**
 * Tests that start processes, which takes most of the time: `npm run check` leaves them, and PostgreSQL, to `npm test`.
 */
const PROCESS_TESTS = [
  'server/acceptance/{main,demoStart,crash,ingestCrash,hostileInput,canary,disk}.test.ts',
  'server/{dnsCheck,installed}/cli*.test.ts',
  'server/http/limits/{flood,slowCallers,overload}.test.ts',
  'server/{admin,terminal}/*.test.ts',
  'server/metrics/*.test.ts',
  'server/gateway/canary.test.ts',
  'server/database/{sqlite/databaseFile,durability,migrationKills}.test.ts',
];
/** Tests of several processes (a SQLite file has one), of writes that do not wait for each other, of an unreachable server, and of both engines at once. */
const SERVERS_ONLY = [
  'server/admin/{move,statementTimeout}.test.ts',
  'server/acceptance/processes.test.ts',
  'server/acceptance/databaseAway.test.ts',
  'server/http/rateLimitStore.test.ts',
  'server/acceptance/engines.test.ts',
  'server/metrics/databaseAway.test.ts',
  'server/database/postgres/{analyzeTables,compactTables,openPostgres,preparedStatements,rowSecurity,sharedDatabase,stepInOrder}.test.ts',
  'server/database/postgres/standby.test.ts',
  'server/person/erasureJob.test.ts',
];

/** Tests that mostly wait: they start first, so that others compute beside them and none is left alone at the end. */
const WAITING = [
  'server/acceptance/databaseAway.test.ts',
  'server/database/postgres/standby.test.ts',
  'server/database/writeDeadline.test.ts',
  'server/dns/serverFaults.test.ts',
  'server/dnsCheck/fetchDomains.test.ts',
  'server/gateway/{canary,hostileUpstream}.test.ts',
  'server/http/headers.test.ts',
  'server/http/limits/{flood,slowCallers}.test.ts',
  'server/installed/cliInstalled.test.ts',
  'server/metrics/databaseAway.test.ts',
];

function isWaiting({ moduleId }: TestSpecification): boolean {
  return WAITING.some((pattern) => matchesGlob(relative(import.meta.dirname, moduleId), pattern));
}

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- that of Vitest
    const sorted = await super.sort(files);
    // Projects stay one after the other, because a process of the tests serves one of them.
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap((specifications) => [
      ...specifications.filter(isWaiting),
      ...specifications.filter((one) => !isWaiting(one)),
    ]);
  }
}

const serverTests = readdirSync('server', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('server', file));

/** Tests with storage of their own, or a server: they run again, or only, on PostgreSQL. */
const databaseTests = serverTests.filter((file) =>
  /(test(Database|Service|SignIn|Admin|Writers)|startPostgres)\.ts'/.test(readFileSync(file, 'utf8')),
);

/** Tests that query name servers on port 53, in a network namespace (`npm run lab -- npx vitest run ...`). */
const labTests = [
  'lab/*.test.ts',
  ...serverTests.filter((file) =>
    /\b(startTest(Dns|Provider|Command)|TestSignIn|startLab|needNamespace)\b/.test(readFileSync(file, 'utf8')),
  ),
];
const reason = describeMissingNamespace();
const withoutNamespace = reason === null ? [] : labTests;
const reasonOnPostgres = reason ?? whyDatabaseUnreachable();
const onPostgresWithoutNamespace = reasonOnPostgres === null ? [] : labTests;
if (reasonOnPostgres !== null) process.stdout.write(`${reasonOnPostgres}\n`);

/** Tests that create a disk. */
const diskTests = ['server/acceptance/disk.test.ts'];
const withoutRoot = process.getuid?.() === 0 ? [] : diskTests;
if (withoutRoot.length > 0)
  process.stdout.write('Tests that fill a disk or make one fail need root and are not run.\n');

export default defineConfig({
  test: {
    // Many tests wait, for a process that starts or for a time limit.
    maxWorkers: 4,
    sequence: { sequencer: WaitingFirst },
    // Loading the code again for each file takes more than half of the processor time.
    isolate: false,
    // The default of a second is too short on a busy machine.
    expect: { poll: { timeout: testTimeout / 2 } },
    projects: [
      {
        test: {
          name: 'node',
          testTimeout,
          hookTimeout: testTimeout,
          environment: 'node',
          include: ['{contract,server,src,.ci}/**/*.test.ts'],
          exclude: [...SERVERS_ONLY, ...PROCESS_TESTS, ...withoutNamespace],
          setupFiles: ['.ci/browserLanguage.ts'],
          globalSetup: BUNDLED,
        },
      },
      {
        test: {
          name: 'processes',
          testTimeout,
          hookTimeout: testTimeout,
          environment: 'node',
          include: PROCESS_TESTS,
          exclude: [...SERVERS_ONLY, ...withoutNamespace, ...withoutRoot],
          globalSetup: BUNDLED,
        },
      },
      {
        test: {
          name: 'lab',
          testTimeout,
          hookTimeout: testTimeout,
          environment: 'node',
          include: ['lab/*.test.ts'],
          exclude: withoutNamespace,
          globalSetup: BUNDLED,
          // A namespace has one lab at a time.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'postgres',
          testTimeout,
          hookTimeout: testTimeout,
          environment: 'node',
          include: databaseTests,
          exclude: [...NOT_ON_POSTGRES, ...onPostgresWithoutNamespace],
          globalSetup: ['.ci/postgres.ts', BUNDLED],
        },
      },
      {
        extends: './vite.config.ts',
        test: {
          name: 'dom',
          testTimeout,
          hookTimeout: testTimeout,
          environment: 'jsdom',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['.ci/browserLanguage.ts', '.ci/dom.ts'],
        },
      },
    ],
  },
});
