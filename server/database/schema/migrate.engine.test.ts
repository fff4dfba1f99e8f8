import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import {
  createContact,
  putContacts,
  subscribeContact,
  unsubscribeContact,
  updateContact,
} from '../../contacts/store.ts';
import { addContacts } from '../../contacts/addContacts.ts';
import { nothingPending } from '../../contacts/changeContact.ts';
import { SUPPRESSION_COLUMNS, SUPPRESSIONS } from '../../contacts/suppressions.ts';
import { findWorkspace } from '../../workspaces/store.ts';
import { openDatabase } from '../openDatabase.ts';
import { verifyFolded } from './verifyDerived.ts';
import { migrate } from './migrate.ts';
import { type MigratedStep, type Migration, migrations } from './schema.ts';
import {
  addMigrations,
  CALLER,
  createTestStorage,
  ENGINE,
  NOW,
  openTestDatabase,
  type TestDatabase,
} from '../../testing/testDatabase.ts';

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

test('a process is not ready once a newer version has changed the schema', async () => {
  await t.db.ready();
  addMigrations(add('new1'));
  await migrate(t.db.unscoped, false);
  migrations.pop();
  await expect(t.db.ready()).rejects.toThrow(
    `A newer version of Sendroom wrote this database (schema ${migrations.length + 1}, this version knows ${migrations.length})`,
  );
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

test('addresses from before the list of all addresses are in it', async () => {
  const later = migrations.splice(1);
  onTestFinished(() => void migrations.splice(1, migrations.length, ...later));
  await using place = await createTestStorage();
  const db = await openDatabase(place.url);
  const { kysely } = db.unscoped;
  const [workspace, domain] = [randomUUID(), randomUUID()];
  await db.unscoped.write(async (trx) => {
    await sql`insert into workspaces (id, uuid, name, created_at) values (1, ${workspace}, 'Acme', 0)`.execute(trx);
    await sql`insert into domains (workspace_id, uuid, name, name_key, domain, verified, provider, status, verification,
      mail_from_domain, mail_from_verified, created_at, updated_at, address_count, state, record_bytes)
      values (1, ${domain}, 'Zoo.example', 'zoo.example', '', 0, '', '', '', '', 0, 0, 0, 1001, 'failing', 2)`.execute(
      trx,
    );
    await sql`update workspaces set domain_count = 1, failing_domain_count = 1`.execute(trx);
    for (let count = 0; count < 1001; count++) {
      await sql`insert into addresses (workspace_id, uuid, domain_uuid, address, full_address, address_key, provider,
        display_name, verification, created_at, updated_at) values (1, ${randomUUID()}, ${domain}, ${`Ä${count}`},
        ${`Ä${count}@Zoo.example`}, ${`ä${count}`}, '', '', 'Pending', 0, 0)`.execute(trx);
    }
  });
  migrations.push(...later);
  await migrate(db.unscoped, ENGINE === 'postgres');
  const found = await findWorkspace(db, workspace);
  expect(await verifyWorkspace(must(found), db)).toEqual([]);
  const counted = await kysely.selectFrom('workspace_heads').select('address_count').executeTakeFirstOrThrow();
  expect(counted.address_count).toBe(1001);
  await db.close();
});

test('a phone number or ID without any letter or digit is an identity no more, and nothing else changes', async () => {
  const { db, workspace } = t;
  const uuids = [randomUUID(), randomUUID(), randomUUID()];
  const attributes = [{ phone: '+49 30 1', customer_id: '№ 7' }, { phone: '購', email: 'a@x.test' }, { plan: '-' }];
  await db.write(workspace, (scope) =>
    putContacts(
      scope,
      uuids.map((uuid, index) => ({ uuid, attributes: { ...attributes[index] } })),
      NOW,
    ),
  );
  await db.write(workspace, async (scope) => {
    const { id: contact_id } = await scope.select('contacts').select('id').limit(1).executeTakeFirstOrThrow();
    const none = (kind: 'phone' | 'custom', key: string) => ({ kind, key, contact_id, digits: null });
    const rows = [none('phone', '–'), none('custom', '-'), none('custom', '***')];
    await scope
      .insert(
        'identities',
        rows.map((row) => ({ ...row, workspace_id: workspace.id })),
      )
      .execute();
  });
  expect(await verifyWorkspace(workspace, db)).toHaveLength(3);
  await db.unscoped.write((trx) => sql`delete from schema_versions where version > 10`.execute(trx));
  await migrate(db.unscoped, ENGINE === 'postgres', { migrates: true }, migrations.slice(0, 11));
  expect(await verifyWorkspace(workspace, db)).toEqual([]);
});

test('contacts that were unsubscribed before have what the log says of it', async () => {
  const { db, workspace } = t;
  const person = { uuid: randomUUID(), name: 'Ada', email: 'ada@x.test', subject: 'ada' };
  const staff = { person, requestId: null, isSession: true };
  const emails = ['added', 'created', 'program', 'person', 'imported', 'twice', 'subscribed'].map(
    (of) => `${of}@x.test`,
  );
  await db.write(workspace, async (scope) => {
    const imported = emails.slice(2).map((email) => ({ attributes: { email }, created_at: 7 }));
    await putContacts(scope, imported, NOW);
    // An older version wrote no line for it.
    const attributes = { email: 'added@x.test' };
    const added = { contact: { subscribed: false, attributes, created_at: 7 }, attributes, identities: [] };
    await addContacts(scope, [added], nothingPending(), NOW);
  });
  await createContact(
    workspace,
    db,
    { subscribed: false, attributes: { email: 'created@x.test' } },
    false,
    CALLER,
    NOW + 1,
  );
  await unsubscribeContact(workspace, db, 'program@x.test', CALLER, NOW + 2);
  await unsubscribeContact(workspace, db, 'person@x.test', staff, NOW + 3);
  const row = { subscribed: false, attributes: { email: 'imported@x.test' } };
  await db.write(workspace, (scope) => putContacts(scope, [row], NOW + 4));
  for (const email of ['twice@x.test', 'subscribed@x.test']) {
    await unsubscribeContact(workspace, db, email, staff, NOW + 5);
    await subscribeContact(workspace, db, email, 'They asked.', CALLER, NOW + 6);
  }
  await unsubscribeContact(workspace, db, 'twice@x.test', CALLER, NOW + 7);
  await updateContact(workspace, db, 'twice@x.test', { plan: 'free' }, CALLER, NOW + 8);

  await db.unscoped.write(async (trx) => {
    // As an older version wrote it.
    await sql`update change_values set summary = '{"reason":null,"fields":[],"field_count":0,"details":null}'`.execute(
      trx,
    );
    await sql`drop index contacts_by_suppression`.execute(trx);
    await sql`drop table suppression_counts`.execute(trx);
    for (const column of SUPPRESSION_COLUMNS)
      await sql`alter table contacts drop column ${sql.ref(column)}`.execute(trx);
    await sql`delete from schema_versions where version > 2`.execute(trx);
  });
  // Later steps are done already.
  await migrate(db.unscoped, ENGINE === 'postgres', { migrates: true }, migrations.slice(0, 3));

  const rows = await db.read(workspace, (scope) =>
    scope
      .select('contacts')
      .select(['email_key', ...SUPPRESSION_COLUMNS])
      .orderBy('suppressed_at')
      .execute(),
  );
  const found = rows.map(({ email_key, suppressed_at: at, suppressed_by: by, suppression_origin: origin, ...rest }) => {
    expect(rest.suppression_reason).toBe('');
    return [email_key.split('@')[0], at, by, origin];
  });
  const { uuid: token } = CALLER.token;
  expect(found).toEqual([
    ['subscribed', 0, '', ''],
    ['added', 7, 'command', 'import'],
    ['created', NOW + 1, token, ''],
    ['program', NOW + 2, token, ''],
    ['person', NOW + 3, person.uuid, 'support'],
    ['imported', NOW + 4, 'command', 'import'],
    ['twice', NOW + 7, token, ''],
  ]);
  const counts = await db.read(workspace, (scope) =>
    scope.select('suppression_counts').select(['origin', 'actor', 'count']).orderBy('origin').execute(),
  );
  expect(counts).toEqual([
    { origin: '', actor: token, count: 3 },
    { origin: 'import', actor: 'command', count: 2 },
    { origin: 'support', actor: person.uuid, count: 1 },
  ]);
  expect(await verifyFolded([workspace, db], SUPPRESSIONS, () => {})).toEqual([]);
});
