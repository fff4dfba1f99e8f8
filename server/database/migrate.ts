import type { Database } from './database.ts';
import { DatabaseUnavailableError } from './databaseErrors.ts';
import { migrations } from './migrations/migrations.ts';
import type { SchemaDialect, Migration } from './migrations/migration.ts';

/**
 * Brings the schema up to date. Each step runs in one transaction with the record that it was done, so a process that is
 * killed leaves a whole step or none. The version is read under the write lock, so that two processes that start together do
 * not run a step twice. Throws `DatabaseUnavailableError` when a newer version of Sendroom made the schema.
 */
export async function migrate(
  db: Pick<Database['unscoped'], 'write'>,
  dialect: SchemaDialect,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  /** Runs the next step. True where there was none. */
  const runNextStep = async () => {
    return db.write(async (trx) => {
      await trx.schema
        .createTable('schema_versions')
        .ifNotExists()
        .addColumn('version', 'integer', (column) => column.primaryKey())
        .addColumn('applied_at', 'bigint', (column) => column.notNull())
        .execute();
      const last = await trx
        .selectFrom('schema_versions')
        .select(({ fn }) => fn.max<number | null>('version').as('version'))
        .executeTakeFirstOrThrow();
      const version = last.version ?? 0;
      if (version > steps.length) {
        throw new DatabaseUnavailableError(
          `A newer version of Sendroom wrote this database (schema ${version}, this version knows ${steps.length}): run that version, or restore an older backup.`,
        );
      }
      const step = steps[version];
      if (step === undefined) return true;
      await step(trx, dialect);
      await trx
        .insertInto('schema_versions')
        .values({ version: version + 1, applied_at: Date.now() })
        .execute();
      return false;
    });
  };
  while (!(await runNextStep()));
}
