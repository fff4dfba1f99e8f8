import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../openDatabase.ts';
import type { Migration } from './schema.ts';
import { addMigrations, openTestDatabase } from '../../testing/testDatabase.ts';
import { startProcess } from '../../testing/processes/testProcess.ts';

const STEP = [`create table added (id integer)`, `update workspaces set name = name || '!'`];
const step: Migration = async (trx) => {
  for (const statement of STEP) await sql.raw(statement).execute(trx);
};

test('a process that is killed in the middle of a step leaves nothing of it, and the next start does it once', async () => {
  await using t = await openTestDatabase({ isDurable: true });
  const names = () => t.db.unscoped.kysely.selectFrom('workspaces').select('name').execute();
  const killed = startProcess(
    import.meta.dirname,
    `
    import { sql } from 'kysely';
    import { openDatabase } from '../openDatabase.ts';
    import { migrations } from './schema.ts';
    const step = async (trx) => {
      for (const statement of ${JSON.stringify(STEP)}) await sql.raw(statement).execute(trx);
      console.log((await sql\`select * from added\`.execute(trx)).rows.length);
      process.kill(process.pid, 'SIGKILL');
    };
    migrations.push(step);
    await openDatabase(${JSON.stringify(t.url)}, { migrates: true });`,
  );
  expect([await killed.line(), await killed.line()]).toEqual(['0', null]);
  await expect(sql`select * from added`.execute(t.db.unscoped.kysely)).rejects.toThrow('added');
  addMigrations(step);
  for (let start = 0; start < 2; start++) await (await openDatabase(t.url, { migrates: true })).close();
  expect(await names()).toEqual([{ name: 'Acme!' }, { name: 'Acme!' }]);
});
