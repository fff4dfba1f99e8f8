import type { TestProject } from 'vitest/node';
import { startPostgres } from './startPostgres.ts';

// PostgreSQL for the tests: one server for a run, in a folder that goes with it.

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- what Vitest declares can only be added to
  interface ProvidedContext {
    /** Addresses of empty PostgreSQL databases; undefined where tests run on SQLite. */
    postgres: { quick: string; durable: string } | undefined;
  }
}

/** Called by Vitest before the first test on PostgreSQL; what it gives is called after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide('postgres', { quick: given, durable: given });
    return async () => {};
  }
  // Most tests make tables all the time and lose nothing that matters when the machine fails.
  const quick = await startPostgres({ fsync: 'off' });
  const durable = await startPostgres();
  project.provide('postgres', { quick: quick.url, durable: durable.url });
  return async () => {
    await quick.stop();
    await durable.stop();
  };
}
