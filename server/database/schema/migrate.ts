import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import { migrations } from './schema.ts';
import type { MigratedStep, Migration } from './schema.ts';
import type { Tables } from './tables.ts';

export type MigrateOptions = {
  /** Whether an older schema is brought up to date; else `DatabaseUnavailableError`. */
  migrates: boolean;
  /** Called after each step, where there was an older schema. */
  onMigrated?: ((step: MigratedStep) => void) | undefined;
};

/**
 * Brings the schema up to date. Each step runs in one transaction with the record that it was done, so a process that is
 * killed leaves a whole step or none. The version is read under the write lock, so that two processes that start together do
 * not run a step twice. Throws `DatabaseUnavailableError` when a newer version of Sendroom made the schema.
 */
export async function migrate(
  db: Pick<Database['unscoped'], 'write'>,
  isServer: boolean,
  { migrates, onMigrated }: MigrateOptions = { migrates: true },
  steps: readonly Migration[] = migrations,
): Promise<void> {
  /** The schema at the start. */
  let found: number | null = null;
  /** Runs the next step. True where there was none. */
  const runNextStep = async () => {
    return db.write(async (trx) => {
      await trx.schema
        .createTable('schema_versions')
        .ifNotExists()
        .addColumn('version', 'integer', (column) => column.primaryKey())
        .addColumn('applied_at', 'bigint', (column) => column.notNull())
        .execute();
      const version = await readVersion(trx);
      found ??= version;
      checkVersion(version, steps.length, migrates || found === 0);
      const step = steps[version];
      if (step === undefined) return true;
      const start = performance.now();
      await step(trx, isServer);
      await trx
        .insertInto('schema_versions')
        .values({ version: version + 1, applied_at: Date.now() })
        .execute();
      if (found > 0) {
        const ms = Math.round(performance.now() - start);
        onMigrated?.({ version: version + 1, of: steps.length, ms });
      }
      return false;
    });
  };
  while (!(await runNextStep()));
}

/** The schema's version, where it has the table of versions. */
export async function readVersion(kysely: Kysely<Tables>): Promise<number> {
  const last = await kysely
    .selectFrom('schema_versions')
    .select(({ fn }) => fn.max<number | null>('version').as('version'))
    .executeTakeFirstOrThrow();
  return last.version ?? 0;
}

/** Throws `DatabaseUnavailableError` where another version changed the schema since the start: most statements would fail. */
export async function checkSchema(kysely: Kysely<Tables>): Promise<void> {
  checkVersion(await readVersion(kysely), migrations.length, false);
}

/** Throws `DatabaseUnavailableError` where the schema is newer, or older and not to be brought up to date. */
export function checkVersion(version: number, newest: number, migrates: boolean): void {
  if (version > newest) {
    throw new DatabaseUnavailableError(
      `A newer version of Sendroom wrote this database (schema ${version}, this version knows ${newest}): run that version, or restore an older backup.`,
    );
  }
  if (version < newest && !migrates) {
    throw new DatabaseUnavailableError(
      `An older version of Sendroom wrote this database (schema ${version}, this version needs ${newest}): stop that version, make a backup with it, then run the command \`admin migrate\` or start the service of this version, which cannot be undone.`,
    );
  }
}

/** What is said of a step. */
export function describeStep({ version, of, ms }: MigratedStep): string {
  return `The schema is at ${version} of ${of}: this step took ${ms.toLocaleString('en')} ms.`;
}
