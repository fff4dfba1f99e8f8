import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { putContacts } from '../../../contacts/store.ts';
import { openDatabase } from '../../../database/openDatabase.ts';
import { NOW } from '../../../testing/testDatabase.ts';
import {
  createTwinTenants,
  snapshotTenantAccess,
  snapshotTenantData,
  type Tenant,
} from '../../../testing/testTenants.ts';
import { type Cluster, onNode, startCluster } from '../../../../testing/programs/citus.ts';
import { verifyWorkspace } from '../verify.ts';

// A database of one server becomes one of three, with a kill in the middle.

let cluster: Cluster;
let url: string;
beforeAll(async () => {
  cluster = await startCluster(2, { fsync: 'off' });
  for (const node of [cluster.coordinator, ...cluster.workers]) {
    await onNode(node, 'create database whole owner sendroom');
  }
  const whole = new URL(cluster.coordinator.url);
  whole.pathname = 'whole';
  url = whole.href;
}, 120_000);
afterAll(() => cluster.stop());

async function admin(...parameters: string[]): Promise<{ code: number | null; out: string }> {
  const { child, said } = start(...parameters);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: said() };
}

function start(...parameters: string[]) {
  const child = spawn(process.execPath, ['server/admin.ts', ...parameters], {
    env: { ...process.env, DATABASE_URL: url },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (out += data.toString()));
  return { child, said: () => out };
}

const distributed = async () =>
  Number((await onNode(cluster.coordinator, 'select count(*) as tables from citus_tables', 'whole'))[0]?.['tables']);

const indexes = () =>
  onNode(
    cluster.coordinator,
    `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
    'whole',
  );

const mayUpdateLog = async () =>
  (
    await onNode(cluster.workers[0]!, `select has_table_privilege('sendroom', 'changes', 'update') as may`, 'whole')
  )[0]?.['may'];

test('is refused where it cannot work, is resumed after a kill, and leaves everything as it was', async () => {
  const database = await openDatabase(url);
  const tenants: Tenant[] = await createTwinTenants(database, NOW);
  const many = Array.from({ length: 5_000 }, (_, at) => ({ attributes: { email: `p${at}@many.example` } }));
  await database.write(tenants[0]!.workspace, (scope) => putContacts(scope, many, NOW), { isBulk: true });
  const snapshots = () =>
    Promise.all(
      tenants.flatMap((tenant) => [snapshotTenantData(tenant, database), snapshotTenantAccess(tenant, database)]),
    );
  const before = await snapshots();
  const indexed = await indexes();
  await database.close();

  expect(await admin('distribute')).toMatchObject({
    code: 1,
    out: expect.stringContaining('no extension Citus') as string,
  });
  for (const node of [cluster.coordinator, ...cluster.workers]) await onNode(node, 'create extension citus', 'whole');
  expect(await admin('distribute')).toMatchObject({ code: 1, out: expect.stringContaining('no workers') as string });
  await cluster.join('whole');

  const worker = cluster.workers[1]!;
  for (const [deny, allow, reason] of [
    ['alter role sendroom nologin', 'alter role sendroom login', /doesn't reach .* as this role/],
    ['alter database whole owner to postgres', 'alter database whole owner to sendroom', /may not make tables/],
  ] as const) {
    await onNode(worker, deny, 'postgres');
    for (const options of [['--dry-run'], []]) {
      expect(await admin('distribute', ...options)).toMatchObject({
        code: 1,
        out: expect.stringMatching(reason) as string,
      });
    }
    await onNode(worker, allow, 'postgres');
  }

  const service = await openDatabase(url, { isService: true });
  expect(await admin('distribute')).toMatchObject({
    code: 1,
    out: expect.stringContaining('stop them first') as string,
  });
  const dry = await admin('distribute', '--dry-run');
  expect(dry).toMatchObject({ code: 0, out: expect.stringMatching(/contacts: 5,00\d rows/) as string });
  await service.close();
  expect(await distributed()).toBe(0);

  const { child, said } = start('distribute');
  const ended = once(child, 'close');
  while ((await distributed()) < 3 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  await ended;
  expect(await distributed(), said()).toBeLessThan(24);
  await expect(openDatabase(url, { isService: true })).rejects.toThrow('distributed in part');

  expect(await admin('distribute')).toMatchObject({ code: 0, out: expect.stringContaining('compared them') as string });
  expect(await admin('distribute')).toMatchObject({ code: 0, out: expect.stringContaining('already') as string });
  expect(await indexes()).toEqual(indexed);
  const after = await openDatabase(url, { isService: true });
  // As after a move of a shard.
  await onNode(
    cluster.workers[0]!,
    'set citus.enable_ddl_propagation = off; grant update on changes to sendroom',
    'whole',
  );
  expect(await admin('distribute', '--dry-run')).toMatchObject({ code: 0 });
  expect(await mayUpdateLog()).toBe(true);
  expect(await admin('distribute')).toMatchObject({ code: 0 });
  expect(await mayUpdateLog()).toBe(false);
  await onNode(cluster.coordinator, 'create role other login', 'whole');
  const owner = url;
  url = url.replace('//sendroom@', '//other@');
  expect(url).not.toBe(owner);
  await onNode(cluster.coordinator, 'grant select on all tables in schema public to other', 'whole');
  expect(await admin('distribute')).toMatchObject({
    code: 1,
    out: expect.stringContaining('owns the tables') as string,
  });
  url = owner;
  expect(
    await Promise.all(
      tenants.flatMap((tenant) => [snapshotTenantData(tenant, after), snapshotTenantAccess(tenant, after)]),
    ),
  ).toEqual(before);
  for (const { workspace } of tenants) {
    await after.write(workspace, (scope) => putContacts(scope, [{ attributes: { email: 'new@many.example' } }], NOW));
    expect(await verifyWorkspace(workspace, after)).toEqual([]);
  }
  await after.close();
}, 240_000);

/** docs/capacity.md. */
const PARTITION = [
  'create table events_new (like events) partition by hash (workspace_id)',
  ...[0, 1].map(
    (part) => `create table events_${part} partition of events_new for values with (modulus 2, remainder ${part})`,
  ),
  'alter table events_new add constraint events_new_by_time primary key (workspace_id, contact_id, created_at, uuid)',
  'create unique index events_new_by_uuid on events_new (workspace_id, uuid)',
  `create policy workspace on events_new using (nullif(workspace_id::text = current_setting('sendroom.workspace', true), false) is not null)`,
  'alter table events_new enable row level security',
  'insert into events_new select * from events',
  'drop table events',
  'alter table events_new rename to events',
];

test('a table with partitions keeps its indexes', async () => {
  const nodes = [cluster.coordinator, ...cluster.workers];
  for (const node of nodes) await onNode(node, 'create database parted owner sendroom');
  const parted = new URL(url);
  parted.pathname = 'parted';
  url = parted.href;
  const database = await openDatabase(url);
  await createTwinTenants(database, NOW);
  await database.close();
  for (const statement of PARTITION)
    await onNode(cluster.coordinator, `set role sendroom; set sendroom.workspace = '*'; ${statement}`, 'parted');
  for (const node of nodes) await onNode(node, 'create extension citus', 'parted');
  await cluster.join('parted');
  expect(await admin('distribute')).toMatchObject({ code: 0, out: expect.stringContaining('compared them') as string });
  for (const node of nodes)
    expect(await onNode(node, 'select indexrelid::regclass from pg_index where not indisvalid', 'parted')).toEqual([]);
});
