import { DatabaseSync } from 'node:sqlite';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../openDatabase.ts';
import { createTwinTenants } from '../../../testing/testTenants.ts';
import { migrations } from '../../schema/schema.ts';
import { findBackupErrors, readSchemaVersion, verifyBackup } from './verifyBackup.ts';

let folder: string;
let copy: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-copy-'));
  copy = join(folder, 'copy.db');
  const database = await openDatabase(`file:${join(folder, 'source.db')}`);
  await createTwinTenants(database, 0);
  await database.backup(copy);
  await database.close();
});
afterEach(() => rm(folder, { recursive: true }));

test('a whole copy has no faults, and looking at it leaves nothing behind', async () => {
  expect(await verifyBackup(copy)).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
});

test('a page that was overwritten and a file that was cut off are found', async () => {
  const file = await open(copy, 'r+');
  try {
    await file.write(Buffer.alloc(4096, 0xff), 0, 4096, 8192);
    expect(await verifyBackup(copy)).not.toEqual([]);
    await file.truncate(4096 * 3);
    expect(await verifyBackup(copy)).not.toEqual([]);
    await file.truncate(100);
    expect(await verifyBackup(copy)).not.toEqual([]);
  } finally {
    await file.close();
  }
});

/** Writes also what SQLite itself would not allow. */
function change(sql: string): void {
  using database = new DatabaseSync(copy, { defensive: false });
  database.exec(`pragma journal_mode = delete; ${sql}`);
}

test('a database that is none of ours has no version', async () => {
  expect(await readSchemaVersion(copy)).toBe(migrations.length);
  change('drop table schema_versions; create table schema_versions (x); insert into schema_versions values (1)');
  expect(await readSchemaVersion(copy)).toBeNull();
});

const TRIGGER = `create trigger sneaky after update of subscribed on contacts when new.subscribed = 0 begin
  update contacts set subscribed = 1 where workspace_id = new.workspace_id and id = new.id; end`;
const OTHER_COLUMN = `pragma writable_schema = on;
  update sqlite_schema set sql = replace(sql, 'default 1', 'default 2') where name = 'workspace_heads'`;
const holds = (column: string, table: string) => `The column ${column} of ${table} holds what Sendroom never writes, `;

test.each<[sql: string, fault: string]>([
  [TRIGGER, 'The trigger sneaky is none of Sendroom.'],
  ['create view every as select * from contacts', 'The view every is none of Sendroom.'],
  ['create table extra (x)', 'The table extra is none of Sendroom.'],
  ['drop index contacts_by_email', 'The index contacts_by_email is missing.'],
  [OTHER_COLUMN, 'The table workspace_heads is another than that of Sendroom.'],
  ...[
    ['tokens', 'role', `'root'`],
    ['members', 'role', `'ingest'`],
    ['members', 'source', `''`],
    ['identities', 'kind', `'other'`],
    ['workspaces', 'suspended', '5'],
    ['workspace_heads', 'mark', '-1'],
    ['workspace_heads', 'next_contact_id', '-1'],
    ['workspaces', 'created_at', '253402300800000'],
    ['contacts', 'uuid', 'substr(uuid, 1, 35)'],
    ['contacts', 'uuid', 'upper(uuid)'],
    ['events', 'uuid', `uuid || '0'`],
    ['contacts', 'attributes', `'not json'`],
    ['events', 'attributes', `'[]'`],
    ['change_values', 'changes', `case number when 1 then '7' else changes end`],
    ['contacts', 'updated_at', '9e15'],
    ['contacts', 'created_at', `'abc'`],
  ].map(([table = '', column = '', value = '']): [string, string] => [
    `update or ignore ${table} set ${column} = ${value}`,
    holds(column, table),
  ]),
])('after %j what is wrong is named', async (sql, fault) => {
  change(sql);
  const faults = await findBackupErrors(copy, migrations.length);
  expect(faults).toContainEqual(expect.stringContaining(fault));
});

test('statistics that somebody had gathered for the planner do not make a backup another one', async () => {
  change('analyze');
  expect(await findBackupErrors(copy, migrations.length)).toEqual([]);
});
