import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { Database } from './database.ts';
import { openDatabase } from './openDatabase.ts';
import { checkLog } from '../log/checkLog.ts';
import { listWorkspaces } from '../workspaces/store.ts';
import { migrations } from './migrations/migrations.ts';
import { ENGINE, createTestStorage } from '../testing/testDatabase.ts';
import { startProcess } from '../testing/testProcess.ts';

// A process is killed before any statement of a migration. The next start must produce the same schema and rows as
// without a kill.

/** One of so many statements is tested; `npm run drill` tests each. */
const STRIDE = Number(process.env.MIGRATION_STRIDE ?? 12);
vi.setConfig({ testTimeout: 60_000 + (200 / STRIDE) * 5_000 });

/** Migrates, and is killed before the statement with this number; without a number it prints how many there were. */
const startMigration = (url: string, statements: number | null) =>
  startProcess(
    import.meta.dirname,
    `
    import { openDatabase } from './openDatabase.ts';
    import { migrations } from './migrations/migrations.ts';
    let count = 0;
    const counting = {
      transformQuery({ node }) {
        if (count === ${statements}) process.kill(process.pid, 'SIGKILL');
        count += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const steps = migrations.map((step) => (trx, engine) => step(trx.withPlugin(counting), engine));
    const db = await openDatabase(${JSON.stringify(url)}, { steps });
    await db.close();
    console.log(count);`,
  );

/** Rows from before migrations that change rows. */
async function fillOld(url: string, version: number): Promise<void> {
  if (version === 0) return;
  const old = await openDatabase(url, { steps: migrations.slice(0, version) });
  await old.unscoped.write(async (trx) => {
    await sql`insert into workspaces (id, uuid, name, created_at) values (1, 'u', 'Acme', 1)`.execute(trx);
    await sql`insert into domains values (1, 'd', 'a.test', 'a.test', 'a.test', 0, '', '', '', '', 0, 1, 2)`.execute(
      trx,
    );
    await sql`insert into domains values (1, 'e', 'b.test', 'b.test', 'b.test', 1, '', 'pending', '', '', 0, 1, 2)`.execute(
      trx,
    );
    await sql`insert into addresses values (1, 'a', 'd', 'x', 'x@a.test', 'x', '', '', '', 1, 1)`.execute(trx);
    for (const id of [1, 2, 3]) {
      const name = `${id === 2 ? 'é' : ''}${'x'.repeat(id * 100)}`;
      await sql`
        insert into contacts (
          workspace_id, id, uuid, subscribed, attributes, created_at, updated_at,
          email_key, first_name_key, last_name_key, company_key, search_key
        ) values (1, ${id}, ${String(id)}, ${id % 2}, '{}', 1, 1, '', ${name}, '', '', ${name})`.execute(trx);
      await sql`
        insert into contact_changes (workspace_id, contact_id, number, uuid, action, created_at, token_uuid, token_name, changes)
        values (1, ${id}, 1, ${`c${id}`}, 'unsubscribe', ${id * 500_000}, ${id === 1 ? null : 't'}, ${id === 1 ? null : 'support'},
          '[{"field":"subscribed","before":true,"after":false}]')`.execute(trx);
      await sql`insert into identities values (1, 'phone', ${`+49 30 ${id}-2233`}, ${id}), (1, 'email', ${`${id}@é.test`}, ${id})`.execute(
        trx,
      );
    }
  });
  await old.close();
}

/** Salts of the log, and its hashes. */
const RANDOM = /"(?:[0-9a-f]{32}|[0-9a-f]{64})"/g;

/** The ids of FTS5 are beyond those that a number can hold. */
const columnsOf = (table: string) => (table === 'contact_search_data' ? 'cast(id as text) as id, block' : '*');

/** The whole content of a database as text. */
async function contentOf(db: Database): Promise<string[]> {
  const rows = async (query: string) =>
    (await sql.raw<Record<string, unknown>>(query).execute(db.unscoped.kysely)).rows.map((row) =>
      JSON.stringify(row).replaceAll(RANDOM, '""'),
    );
  const onSqlite = `select type, tbl_name as name, sql from sqlite_schema order by name, tbl_name, type`;
  const onPostgres = `
    select table_name as name, column_name, data_type, is_nullable, column_default, collation_name
    from information_schema.columns where table_schema = current_schema() order by table_name, column_name`;
  const indexes = `select indexname, replace(indexdef, current_schema(), '') from pg_indexes where schemaname = current_schema() order by 1`;
  const constraints = `
    select conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = current_schema()::regnamespace order by 1, 2`;
  const schema = ENGINE === 'sqlite' ? await rows(onSqlite) : await rows(onPostgres);
  const more = ENGINE === 'sqlite' ? [] : [...(await rows(indexes)), ...(await rows(constraints))];
  const names = new Set(schema.map((row) => (JSON.parse(row) as { name: string }).name));
  const tables = [...names].filter((name) => !name.startsWith('sqlite_') && name !== 'schema_versions');
  const data = await Promise.all(
    tables.map(async (name) => [name, ...(await rows(`select ${columnsOf(name)} from ${name}`)).toSorted()]),
  );
  const versions = await rows('select version from schema_versions order by version');
  return [...schema, ...more, ...data.flat(), ...versions];
}

async function migrated(version: number, kill: number | null): Promise<{ content: string[]; statements: number }> {
  await using place = await createTestStorage({ isDurable: true });
  await fillOld(place.url, version);
  const line = await startMigration(place.url, kill).line();
  expect(line === null).toBe(kill !== null);
  const db = await openDatabase(place.url);
  const content = await contentOf(db);
  for (const workspace of await listWorkspaces(db)) content.push(...(await checkLog(workspace, db)));
  await db.close();
  return { content, statements: Number(line) };
}

test.for([0, 2])(
  'a kill before a statement of the steps after step %i is made good by the next start',
  async (version, { task }) => {
    const whole = await migrated(version, null);
    expect(whole.statements).toBeGreaterThan(20);
    expect(whole.content.filter((line) => line.startsWith('The log'))).toEqual([]);
    let kills = 0;
    for (let kill = version % STRIDE; kill < whole.statements; kill += STRIDE) {
      const { content } = await migrated(version, kill);
      expect(content, `killed before statement ${kill + 1}`).toEqual(whole.content);
      kills++;
    }
    Object.assign(task.meta, {
      measured: `${whole.statements} statements, killed before ${kills} of them: the same schema and rows each time`,
    });
  },
);
