import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { must } from '#contract/must.ts';
import { putContacts } from '../../contacts/store.ts';
import { NOW, openTestDatabase } from '../../testing/testDatabase.ts';

/** Milliseconds in which it would be done. */
const LONG_ENOUGH = 4_000;

test('it waits for a transaction of another database, for which the server keeps deleted rows', async () => {
  await using t = await openTestDatabase({ isAlone: true });
  const people = Array.from({ length: 300 }, (_, index) => ({ attributes: { email: `ada${index}@x.test` } }));
  await t.db.write(t.workspace, (scope) => putContacts(scope, people, NOW));
  await sql`analyze identities`.execute(t.db.unscoped.kysely);
  const other = new Client({ connectionString: must(inject('postgres')).quick });
  await other.connect();
  await other.query('begin; select txid_current()');
  let isDone = false;
  const compacting = t.db.compact().finally(() => (isDone = true));
  await delay(LONG_ENOUGH);
  expect(isDone).toBe(false);
  await other.query('rollback');
  await other.end();
  await compacting;
});
