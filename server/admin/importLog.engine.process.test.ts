import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listChanges } from '../log/listChanges.ts';
import { programFile } from '../testing/programFile.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';
import { ENGINE, withSettings } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { BATCH_ROWS_MIN } from './importRows.ts';

// The line of a whole import, where it cannot be written.

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ attributes: { email: `p${index}@example.com` } }));
const stored = async () => (await t.rows())['contacts'];
const loggedImports = async () =>
  (await listChanges(t.workspace, t.database, { ...ALL, filters: { action: 'import_run' } })).data;

/** From now on the database fails with `message` at new rows of the table of which `condition` holds. */
async function breakTable(table: 'contacts' | 'changes', condition: string, message: string): Promise<void> {
  const act = sql.raw(
    ENGINE === 'sqlite' ? `select raise(abort, '${message}')` : `raise exception using message = '${message}'`,
  );
  await t.database.unscoped.write(async (trx) => {
    const name = sql.ref(`broken_${table}`);
    const head = sql`create trigger ${name} before insert on ${sql.ref(table)}`;
    if (ENGINE === 'sqlite') {
      await sql`${head} when ${sql.raw(condition)} begin ${act}; end`.execute(trx);
      return;
    }
    await sql`create function ${name}() returns trigger language plpgsql as $$ begin ${act}; end $$`.execute(trx);
    await sql`${head} for each row when (${sql.raw(condition)}) execute function ${name}()`.execute(trx);
  });
}

const LINE = `new.action = 'import_run'`;

test('a file is imported as a whole with its line in the log, or not at all', async () => {
  await breakTable('changes', LINE, 'no log');
  const file = await t.file('people.ndjson', ndjson(people(3)));
  expect(await t.importFile('contacts', file, '--strict')).toMatchObject({ code: 1 });
  expect(await stored()).toEqual([]);
});

test('what an import has done is reported when another process keeps it from its line in the log', async () => {
  const child = spawn(
    process.execPath,
    [programFile('cli'), 'import', 'contacts', '-', '--format', 'ndjson', '--workspace', t.workspace.uuid, '--json'],
    { env: { DATABASE_URL: withSettings(t.url, 'lock_timeout=200') } },
  );
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  // One transaction, and the end of the input only when somebody else writes.
  child.stdin.write(ndjson(people(BATCH_ROWS_MIN)));
  await expect.poll(stored).toHaveLength(BATCH_ROWS_MIN);
  const [out, err, [code]] = await t.database.write(t.workspace, async () => {
    child.stdin.end();
    return ended;
  });
  expect(err).toBe('The log may have no line of this import: Another process is writing to the database.\n');
  expect(JSON.parse(out)).toMatchObject({ added: BATCH_ROWS_MIN, refused: 0 });
  expect(code).toBe(1);
  expect(await loggedImports()).toEqual([]);
});

test('the first error of an import is said, also when its line in the log fails too', async () => {
  await breakTable('changes', LINE, 'no log');
  await breakTable('contacts', `new.email_key = 'p${BATCH_ROWS_MIN}@example.com'`, 'the first error');
  const said = await t.importFile('contacts', await t.file('people.ndjson', ndjson(people(BATCH_ROWS_MIN + 1))));
  expect(said).toMatchObject({ code: 1, err: expect.stringContaining('the first error') });
  expect(said.err).toContain('The log may have no line of this import: no log');
  expect(said.err).toContain(`${BATCH_ROWS_MIN} lines were done before it failed`);
  expect(await stored()).toHaveLength(BATCH_ROWS_MIN);
});
