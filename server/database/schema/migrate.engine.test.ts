import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../openDatabase.ts';
import { migrate } from './migrate.ts';
import { type MigratedStep, type Migration, migrations } from './schema.ts';
import { addMigrations, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const add =
  (name: string): Migration =>
  async (trx) => {
    await trx.schema.createTable(name).addColumn('id', 'integer').execute();
  };

async function state(): Promise<{ version: number; tables: string[] }> {
  const rows = await t.db.unscoped.kysely.selectFrom('schema_versions').select('version').execute();
  const isThere = async (table: string) =>
    t.db.unscoped.kysely
      .selectFrom(table as never)
      .selectAll()
      .execute()
      .then(
        () => [table],
        () => [],
      );
  return {
    version: Math.max(...rows.map(({ version }) => version)),
    tables: [...(await isThere('new1')), ...(await isThere('new2'))],
  };
}

test('steps run in their order, once', async () => {
  addMigrations(add('new1'), add('new2'));
  await migrate(t.db.unscoped, false);
  await migrate(t.db.unscoped, false);
  expect(await state()).toEqual({ version: migrations.length, tables: ['new1', 'new2'] });
});

test('a step that fails leaves the steps before it and nothing of its own', async () => {
  const fails: Migration = async (trx, isServer) => {
    await add('new2')(trx, isServer);
    await sql`nonsense`.execute(trx);
  };
  addMigrations(add('new1'), fails);
  await expect(migrate(t.db.unscoped, false)).rejects.toThrow(/nonsense/);
  expect(await state()).toEqual({ version: migrations.length - 1, tables: ['new1'] });
});

test('a database that a newer version wrote is refused in words and stays as it is', async () => {
  addMigrations(add('new1'));
  await migrate(t.db.unscoped, false);
  migrations.pop();
  await expect(openDatabase(t.url)).rejects.toThrow(
    `A newer version of Sendroom wrote this database (schema ${migrations.length + 1}, this version knows ${migrations.length})`,
  );
  expect(await state()).toEqual({ version: migrations.length + 1, tables: ['new1'] });
});

test('an older schema is refused in words and stays as it is, until a migration is asked for, which tells each step', async () => {
  const [before, after] = [migrations.length, migrations.length + 2];
  addMigrations(add('new1'), add('new2'));
  await expect(openDatabase(t.url)).rejects.toThrow(
    `An older version of Sendroom wrote this database (schema ${before}, this version needs ${after}): stop that version, make a backup with it, then run the command \`admin migrate\` or start the service of this version, which cannot be undone.`,
  );
  expect(await state()).toEqual({ version: before, tables: [] });
  const told: MigratedStep[] = [];
  await (await openDatabase(t.url, { migrates: true, onMigrated: (step) => told.push(step) })).close();
  expect(told).toEqual([
    { version: before + 1, of: after, ms: expect.any(Number) as number },
    { version: after, of: after, ms: expect.any(Number) as number },
  ]);
  expect(await state()).toEqual({ version: after, tables: ['new1', 'new2'] });
  // From then on every command takes it.
  await (await openDatabase(t.url, { onMigrated: (step) => told.push(step) })).close();
  expect(told).toHaveLength(2);
});
