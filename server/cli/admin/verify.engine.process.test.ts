import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putContacts, unsubscribeContact } from '../../contacts/store.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { createDestination } from '../../notifications/destinations.ts';
import { planWorkspace } from '../../notifications/planning/planWorkspace.ts';
import { startTestAdmin, type TestAdmin } from '../../testing/processes/testAdmin.ts';
import { CALLER, ENGINE } from '../../testing/testDatabase.ts';
import { importDomain } from '../../testing/testDomains.ts';

// What is found is in damage.engine.test.ts; here is how the command says it.

const DAY = 24 * 60 * 60_000;
const RULES = { incidents: [], contact_changes: true, digest: false, heartbeat: false };

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
  await t.database.unscoped.write((trx) => trx.updateTable('workspace_heads').set({ contact_count: 7 }).execute());
  expect((await verify()).code).toBe(1);
  expect((await verify('--rebuild')).code).toBe(0);
});

test('names what waits for a time that only a wrong clock can have stored', async () => {
  const now = Date.now();
  const ahead = now + 400 * DAY;
  const uuid = await importDomain(t.workspace, t.database, { name: 'a.test' }, now);
  const given = { kind: 'webhook' as const, name: 'hook', address: 'https://hooks.example.com/', rules: RULES };
  const senders = { mailer: null, isAllowed: () => false, consoleUrl: null };
  await createDestination(t.workspace, t.database, given, senders, { now, author: COMMAND });
  await t.database.write(t.workspace, (scope) => putContacts(scope, [{ attributes: { email: 'a@x.test' } }], now));
  await unsubscribeContact(t.workspace, t.database, 'a@x.test', CALLER, now);
  await planWorkspace(t.workspace, t.database, now);
  expect((await verify()).code).toBe(0);
  await t.database.write(t.workspace, async (scope) => {
    await scope.update('domains').set({ next_check_at: ahead }).execute();
    await scope.update('deliveries').set({ next_at: ahead }).execute();
  });
  const { code, err } = await verify();
  expect(code).toBe(1);
  const sentences = err.trimEnd().split('\n');
  expect(sentences).toHaveLength(2);
  expect(sentences[0]).toBe(`The next check of domain ${uuid} is more than a day ahead, as if the clock was set back.`);
  expect(sentences[1]).toMatch(/^The next attempt to deliver message \S{36} is more than a day ahead/);
});

if (ENGINE === 'sqlite')
  test('a trigger that is not ours is reported', async () => {
    await t.database.unscoped.write((trx) =>
      sql`create trigger sneaky after insert on tokens begin update tokens set revoked_at = null; end`.execute(trx),
    );
    expect(await verify()).toMatchObject({ code: 1, err: 'The trigger sneaky is none of Sendroom.\n' });
  });
