import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { describeMissingCitus } from './testing/programs/citus.ts';
import { isInNamespace } from './testing/programs/namespace.ts';

// Where a test belongs is said by the words in its name, before `.test`: none (no input or output), `service` (a service, servers or files
// in this process), `engine` (the same on SQLite and PostgreSQL), `postgres` (PostgreSQL only), `citus` (PostgreSQL with
// distributed tables only), `dns` (name servers in this process), `process`
// (starts programs), `lab` (real name servers). Those of `dns` and `lab` need the namespace: `npm run lab -- npx vitest run FILE`.

// Processes and threads that tests start inherit it: it halves the processor time of their start.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'sendroom-tests-compiled');

const FOLDERS = '{contract,server,src,testing,.ci}/**';
const OUTSIDE = isInNamespace() ? [] : ['**/*.{dns,lab}.*'];
const BUNDLED = './testing/setup/bundleSetup.ts';
const POSTGRES = './testing/setup/postgresSetup.ts';
const LANGUAGE = './testing/setup/browserLanguage.ts';
/** Milliseconds; high enough for a busy machine, so that only a hang exceeds it. */
const TIMEOUT = 60_000;

type Options = { include: string; exclude?: string; setupFiles?: string[]; globalSetup?: string[]; sequential?: true };

function project(name: string, { include, exclude, sequential, ...more }: Options): TestProjectConfiguration {
  const isDom = include.endsWith('.tsx');
  return {
    ...(isDom && { extends: './vite.config.ts' }),
    test: {
      name,
      include: [`${FOLDERS}/${include}`],
      exclude: [...OUTSIDE, ...(exclude === undefined ? [] : [`**/${exclude}`])],
      environment: isDom ? 'jsdom' : 'node',
      setupFiles: isDom ? [LANGUAGE, './testing/setup/dom.ts'] : [LANGUAGE],
      testTimeout: TIMEOUT,
      hookTimeout: TIMEOUT,
      ...(sequential && { fileParallelism: false, sequence: { groupOrder: 1 } }),
      ...more,
    },
  };
}

// Steps of the schema from before the heads of workspaces never met distributed tables, nor do the stores of benchmarks.
const CITUS = project('citus', {
  include: '*.{engine,citus}.test.ts',
  exclude: '{migrate,stores}.engine.test.ts',
  globalSetup: ['./testing/setup/citusSetup.ts'],
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Loading the code again for each file takes more than half of the processor time.
    isolate: false,
    // The default of a second is too short on a busy machine.
    expect: { poll: { timeout: TIMEOUT / 2 } },
    projects: [
      project('unit', { include: '*.test.ts', exclude: '*.*.test.ts' }),
      project('dom', { include: '*.test.tsx', exclude: '*.*.test.tsx' }),
      project('service', { include: '*.{service,dns,engine}.test.ts' }),
      project('dom-service', { include: '*.service.test.tsx' }),
      project('postgres', { include: '*.{engine,postgres}.test.ts', globalSetup: [POSTGRES] }),
      project('process', {
        include: '*.process.test.ts',
        exclude: '*.postgres.process.test.ts',
        globalSetup: [BUNDLED],
      }),
      project('postgres-process', {
        include: '*.{engine,postgres}.process.test.ts',
        globalSetup: [POSTGRES, BUNDLED],
      }),
      ...(describeMissingCitus() === null ? [CITUS] : []),
      // A namespace has one lab at a time.
      project('lab', { include: '*.lab.test.ts', globalSetup: [BUNDLED], sequential: true }),
    ],
  },
});
