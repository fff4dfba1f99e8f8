import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { must } from '#contract/values/must.ts';
import { putContacts } from '../../contacts/store.ts';
import { NOW, openTestDatabase } from '../../testing/testDatabase.ts';

test('it waits for a transaction of another database, for which the server keeps deleted rows', async () => {
  await using t = await openTestDatabase({ isAlone: true });
  const people = Array.from({ length: 300 }, (_, index) => ({ attributes: { email: `ada${index}@x.test` } }));
  await t.db.write(t.workspace, (scope) => putContacts(scope, people, NOW));
  await sql`analyze identities`.execute(t.db.unscoped.kysely);
  const other = new Client({ connectionString: must(inject('postgres')).quick });
  await other.connect();
  await other.query('begin; select txid_current()');
  using query = vi.spyOn(Client.prototype, 'query');
  let isDone = false;
  const compacting = t.db.compact().finally(() => (isDone = true));
  // It looks again at what it could not remove.
  const countRepeats = () => {
    const asked = query.mock.calls.map(([text]) => text).filter((text) => text.startsWith('vacuum'));
    return asked.length - new Set(asked).size;
  };
  await expect.poll(countRepeats).toBeGreaterThan(0);
  expect(isDone).toBe(false);
  await other.query('rollback');
  await other.end();
  await compacting;
});
