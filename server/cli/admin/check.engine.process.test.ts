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

const check = (...more: string[]) => t.admin(['check', '--workspace', t.workspace.uuid, ...more]);

test('nothing wrong is a sentence; of faults, so many that no call takes them all, the first are told', async () => {
  const fine = 'All counters are right, and the log agrees with every contact.\n';
  expect(await check()).toMatchObject({ code: 0, out: fine, err: '' });
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
  const { code, err, out } = await check();
  expect(code).toBe(1);
  expect(err.trimEnd().split('\n')).toHaveLength(20);
  // Each is wrong in six ways, and with them two totals are, and of a file the column of the subscription.
  expect(out).toMatch(/^Found wrong: 150,00[23]\.\n$/);
});

test('--rebuild-search writes the search index again', async () => {
  await t.database.write(t.workspace, async (scope) => {
    await putContacts(scope, [{ attributes: { email: 'ann@x.test' } }], 0);
  });
  await t.database.unscoped.write((trx) => sql`delete from contact_search`.execute(trx));
  expect((await check()).code).toBe(1);
  expect((await check('--rebuild-search')).code).toBe(0);
});

if (ENGINE === 'sqlite')
  test('a trigger that somebody put into the file is told', async () => {
    await t.database.unscoped.write((trx) =>
      sql`create trigger sneaky after insert on tokens begin update tokens set revoked_at = null; end`.execute(trx),
    );
    expect(await check()).toMatchObject({ code: 1, err: 'The trigger sneaky is none of Sendroom.\n' });
  });
