import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putContacts } from '../../contacts/store.ts';
import { startTestAdmin, type TestAdmin } from '../../testing/processes/testAdmin.ts';
import { ENGINE } from '../../testing/testDatabase.ts';

// What is found is in damage.engine.test.ts; here is how the command says it.

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const verify = (...more: string[]) => t.admin(['verify', '--workspace', t.workspace.uuid, ...more]);

test('prints the first 20 of many errors, and their number', async () => {
  const fine = 'No errors found.\n';
  expect(await verify()).toMatchObject({ code: 0, out: fine, err: '' });
  const contacts = sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 25000)
    select ${t.workspace.id}, n, 'made-' || n, 7, '{"email":"' || n || '@x.test","phone":"+49 30 ' || (1000000 + n) || '","customer_id":' || n || '}',
      -1, -1, '', '', '', '', ''
    from numbers`;
  await t.database.write(t.workspace, ({ kysely: trx }) =>
    sql`
      insert into contacts (workspace_id, id, uuid, subscribed, attributes, created_at, updated_at, email_key, first_name_key,
        last_name_key, company_key, search_key)
      ${contacts}`.execute(trx),
  );
  const { code, err, out } = await verify();
  expect(code).toBe(1);
  expect(err.trimEnd().split('\n')).toHaveLength(20);
  // Each contact breaks a rule, has wrong keys and lacks three identities. Besides: two counters, and the index or a column of the file.
  expect(out).toBe('Errors found: 125,003.\n');
});

test('--rebuild rewrites the search index and counters', async () => {
  await t.database.write(t.workspace, async (scope) => {
    await putContacts(scope, [{ attributes: { email: 'ann@x.test' } }], 0);
  });
  await t.database.unscoped.write((trx) => sql`delete from contact_search`.execute(trx));
  await t.database.unscoped.write((trx) => trx.updateTable('workspaces').set({ contact_count: 7 }).execute());
  expect((await verify()).code).toBe(1);
  expect((await verify('--rebuild')).code).toBe(0);
});

if (ENGINE === 'sqlite')
  test('a trigger that is not ours is reported', async () => {
    await t.database.unscoped.write((trx) =>
      sql`create trigger sneaky after insert on tokens begin update tokens set revoked_at = null; end`.execute(trx),
    );
    expect(await verify()).toMatchObject({ code: 1, err: 'The trigger sneaky is none of Sendroom.\n' });
  });
