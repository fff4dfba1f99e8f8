import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { type PostgresServer, startPgbouncer, startPostgres } from '../programs/postgres.ts';

// PostgreSQL for the tests: one server for a run, in a folder that is removed at the end.

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- what Vitest declares can only be added to
  interface ProvidedContext {
    /**
     * Addresses of empty PostgreSQL databases, and the name of a migrated one next to the first, if there is one; undefined
     * when tests run on SQLite.
     */
    postgres: { quick: string; durable: string; template: string | null; isPooled: boolean } | undefined;
  }
}

const TEMPLATE = 'migrated';

/** Vitest calls this before the first test on PostgreSQL, and the returned function after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide('postgres', { quick: given, durable: given, template: null, isPooled: false });
    return async () => {};
  }
  // Without fsync: tests create many tables, and may lose them when the machine fails. Compiling the few statements that
  // the planner takes for expensive takes longer than to run them on the rows of a test.
  const quick = await startPostgres({ fsync: 'off', jit: 'off' });
  const durable = await startPostgres();
  // `TEST_PGBOUNCER=1 npx vitest run --project postgres`. It is not part of every run, because it rarely finds anything
  // else.
  const isPooled = Boolean(process.env.TEST_PGBOUNCER);
  const poolers: PostgresServer[] = isPooled ? [await startPgbouncer(quick), await startPgbouncer(durable)] : [];
  const [throughQuick = quick, throughDurable = durable] = poolers;
  const template = isPooled ? null : await createTemplate(quick.url);
  project.provide('postgres', { quick: throughQuick.url, durable: throughDurable.url, template, isPooled });
  return async () => {
    for (const server of [...poolers, quick, durable]) await server.stop();
  };
}

/** A database that tests copy, which takes half as long as to migrate an empty one. */
async function createTemplate(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const migrated = new URL(url);
  migrated.pathname = TEMPLATE;
  const database = await openDatabase(migrated.href);
  await database.close();
  return TEMPLATE;
}
