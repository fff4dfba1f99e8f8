import type { TestProject } from 'vitest/node';
import { isInNamespace } from '../lab/namespace.ts';
import { whyDatabaseUnreachable } from './unreachableDatabase.ts';
import { type PostgresServer, startPgbouncer, startPostgres } from './startPostgres.ts';

// PostgreSQL for the tests: one server for a run, in a folder that goes with it.

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- what Vitest declares can only be added to
  interface ProvidedContext {
    /** Addresses of empty PostgreSQL databases; undefined where tests run on SQLite. */
    postgres: { quick: string; durable: string; isPooled: boolean } | undefined;
  }
}

/** Called by Vitest before the first test on PostgreSQL; what it gives is called after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const elsewhere = whyDatabaseUnreachable();
  if (elsewhere !== null && isInNamespace()) throw new Error(elsewhere);
  if (given) {
    project.provide('postgres', { quick: given, durable: given, isPooled: false });
    return async () => {};
  }
  // Most tests make tables all the time and lose nothing that matters when the machine fails.
  const quick = await startPostgres({ fsync: 'off' });
  const durable = await startPostgres();
  // `TEST_PGBOUNCER=1 npx vitest run --project postgres`: not for every run, because it says little that is new each time.
  const isPooled = Boolean(process.env.TEST_PGBOUNCER);
  const poolers: PostgresServer[] = isPooled ? [await startPgbouncer(quick), await startPgbouncer(durable)] : [];
  const [throughQuick = quick, throughDurable = durable] = poolers;
  project.provide('postgres', { quick: throughQuick.url, durable: throughDurable.url, isPooled });
  return async () => {
    for (const server of [...poolers, quick, durable]) await server.stop();
  };
}
