import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inviteMember } from '../people/members.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';

// `check` on data that was changed without the service, on both engines.

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
  const attributes = { email: 'Jane@Example.com', phone: '+49 30 123456', customer_id: 7, company: 'Acme' };
  const odd = { customer_id: 'İ', first_name: 'x'.repeat(300), company: ['Acme'], note: null };
  const lines = [{ attributes }, { attributes: odd }, { attributes: { email: 'bob@example.com' } }];
  await t.importFile('contacts', await t.file('in.ndjson', ndjson(lines)));
});
afterEach(() => t[Symbol.asyncDispose]());

const check = () => t.admin(['check', '--workspace', t.workspace.uuid]);

test('contacts of every kind are found right', async () => {
  expect(await check()).toMatchObject({ code: 0, err: '' });
});

test('so many faults that no call takes them all are counted, and the first are told', async () => {
  const contacts = sql`
    with recursive numbers (n) as (select 4 union all select n + 1 from numbers where n < 25003)
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
  // Each is wrong in six ways, and with them three totals are, and of a file the column of the subscription.
  expect(out).toMatch(/^Found wrong: 150,00[34]\.\n$/);
});

test.for<[what: string, change: string, ...faults: string[]]>([
  ['an identity that is gone', `delete from identities where key = '7'`, 'its customer_id does not lead to it.'],
  [
    'an identity that leads to somebody else',
    `update identities set contact_id = (select id from contacts where email_key = 'bob@example.com') where key = 'jane@example.com'`,
    'its email does not lead to it.',
    'an identity (email) leads to it that it does not have.',
  ],
  [
    'an identity that is spelled as nobody is found by',
    `update identities set key = 'Bob@example.com' where key = 'bob@example.com'`,
    'its email does not lead to it.',
    'an identity (email) leads to it that it does not have.',
  ],
  [
    'a phone number with the digits of another',
    `update identities set digits = '+4930654321' where digits = '+4930123456'`,
    'its phone is not found by its digits.',
  ],
  ...['email_key', 'first_name_key', 'last_name_key', 'company_key', 'search_key'].map(
    (column): [string, string, string] => [
      `another ${column}`,
      `update contacts set ${column} = 'x' where id = 1`,
      'it is sorted or searched by something else than its attributes.',
    ],
  ),
  [
    'attributes that are no JSON',
    `update contacts set attributes = '{' where id = 1`,
    'its attributes cannot be read.',
  ],
  [
    'attributes that are no object',
    `update contacts set attributes = '7' where id = 1`,
    'its attributes cannot be read.',
  ],
  ['a change that is no JSON', 'CHANGE', 'change 1 in its log cannot be read.'],
  [
    'times that no calendar has',
    'update contacts set created_at = 9000000000000000, updated_at = 253402300800000 where id = 1',
    'it has a time that no calendar has.',
  ],
  [
    'a subscription that is neither',
    'update contacts set subscribed = 7 where id = 1',
    'it is neither subscribed nor unsubscribed.',
  ],
])('%s', async ([, change, ...faults]) => {
  if (change === 'CHANGE') {
    await t.importFile(
      'contacts',
      await t.file('in.ndjson', ndjson([{ attributes: { phone: '+49 30 123456', x: 1 } }])),
    );
  }
  const statement = change === 'CHANGE' ? `update change_values set changes = '['` : change;
  await t.database.write(t.workspace, ({ kysely: trx }) => sql.raw(statement).execute(trx));
  const { code, err, out } = await check();
  expect(code).toBe(1);
  const said = err.trimEnd().split('\n');
  // Errors of a file come first, and have no name of a contact.
  expect(said.filter((line) => line.startsWith('Contact ')).map((line) => line.replace(/^Contact \S+: /, ''))).toEqual(
    faults,
  );
  expect(
    said.filter((line) => !/^(Contact \S+:|Of the contacts|The (column|subscribed contacts|log:)) /.test(line)),
  ).toEqual([]);
  expect(out).toMatch(/^Found wrong: \d+\.\n$/);
});

test.for<[what: string, change: string, ...faults: string[]]>([
  [
    'the next id of a contact, which another has',
    'update workspaces set next_contact_id = 3',
    'A new contact would get the id 3, and ids up to 3 are taken.',
  ],
  [
    'what events are searched by',
    `update event_names set name_key = 'zzz' where event_name like 'O%'`,
    'Contact UUID: its events are searched by something else than their name.',
  ],
  [
    'what events are searched by beyond ASCII',
    `update event_names set name_key = 'überwiesen' where event_name = 'Überwiesen'`,
    'Contact UUID: its events are searched by something else than their name.',
  ],
  [
    'what a domain is found by',
    `update domains set name_key = 'zzz'`,
    'The domain UUID is found by something else than its name.',
  ],
  [
    'what an address is found by',
    `update addresses set address_key = 'zzz'`,
    'The address UUID is found by something else than its name.',
  ],
  ...['email_key', 'search_key'].map((column): [string, string, string] => [
    `${column} of a member`,
    `update members set ${column} = 'zzz'`,
    'The member UUID is found by something else than its name.',
  ]),
])('%s', async ([, change, ...faults]) => {
  const event = { contact: 'bob@example.com', created_at: '2026-11-01T00:00:00Z' };
  const events = ['Opened', 'Überwiesen', 'clicked'].map((event_name) => ({ ...event, event_name }));
  await t.importFile('events', await t.file('events.ndjson', ndjson(events)));
  const domain = { name: 'Mail.Example.com' };
  await t.importFile('domains', await t.file('domains.ndjson', ndjson([domain])));
  const address = { domain: domain.name, address: 'News' };
  await t.importFile('addresses', await t.file('addresses.ndjson', ndjson([address])));
  await inviteMember(t.workspace, t.database, { email: 'Änne@Example.com', role: 'read' }, 0);
  expect(await check()).toMatchObject({ code: 0, err: '' });
  await t.database.write(t.workspace, ({ kysely: trx }) => sql.raw(change).execute(trx));
  const { code, err } = await check();
  expect([
    code,
    err
      .trimEnd()
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'UUID')
      .split('\n'),
  ]).toEqual([1, faults]);
});

test('a domain in decomposed letters, as older versions stored it, is right', async () => {
  await t.importFile('domains', await t.file('domains.ndjson', ndjson([{ name: 'm\u00fcnchen.example' }])));
  const name = 'mu\u0308nchen.example';
  await t.database.write(t.workspace, async (scope) => {
    await scope.update('domains').set({ name, name_key: name }).execute();
  });
  expect(await check()).toMatchObject({ code: 0, err: '' });
});

test('a trigger that somebody put into the file is told', async () => {
  if ((await t.database.space()) === null) return;
  await t.database.unscoped.write((trx) =>
    sql`create trigger sneaky after insert on tokens begin update tokens set revoked_at = null; end`.execute(trx),
  );
  expect(await check()).toMatchObject({ code: 1, err: 'The trigger sneaky is none of Sendroom.\n' });
});
