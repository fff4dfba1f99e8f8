import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { verifyLog } from '../auditLog/verifyLog.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { listContactChanges } from '../contacts/changeLog.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts, subscribeContact, unsubscribeContact, updateContact } from '../contacts/store.ts';
import { SERVICE } from '../database/changeLog/author.ts';
import { readRetention, signRetention } from '../database/changeLog/checkpoint.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { alterLog } from '../testing/testLog.ts';
import { createWorkspace } from '../workspaces/store.ts';
import { runRetention } from './run.ts';
import { DAY, setRetention } from './settings.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const OLD = NOW - 500 * DAY;
const run = (workspace: Workspace, db: Database = t.db, now = NOW) =>
  runRetention(workspace, db, { now: () => now, author: SERVICE });
const numbersOf = async ({ id }: Workspace) => {
  const rows = t.db.unscoped.kysely.selectFrom('changes').select('number').where('workspace_id', '=', id);
  return (await rows.orderBy('number').execute()).map(({ number }) => number);
};

const logExports = (workspace: Workspace, count: number) =>
  t.db.write(workspace, (scope) =>
    writeLog(
      scope,
      Array.from({ length: count }, () => ({ action: 'export', author: SERVICE, details: { operation: 'x' } })),
      OLD,
    ),
  );

/** Old lines that several transactions delete, with unsubscribes among them, and old events. */
async function createOldWorkspace(): Promise<Workspace> {
  const workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: null }, OLD);
  const emails = Array.from({ length: 6 }, (_, at) => `p${at}@x.test`);
  await t.db.write(workspace, async (scope) => {
    await putContacts(
      scope,
      emails.map((email) => ({ attributes: { email } })),
      OLD,
    );
    const event = (contact: string) => ({ contact, event_name: 'opened', attributes: {}, created_at: OLD });
    await putEvents(
      scope,
      Array.from({ length: 300 }, (_, at) => ({ ...event(must(emails[at % 6])), created_at: OLD + at })),
      OLD,
    );
  });
  for (const email of emails) {
    await updateContact(workspace, t.db, email, { note: 'a' }, CALLER, OLD);
    await unsubscribeContact(workspace, t.db, email, CALLER, OLD);
    await updateContact(workspace, t.db, email, { note: 'b' }, CALLER, OLD);
    await logExports(workspace, 400);
  }
  await setRetention(workspace, t.db, { log_days: 365, event_days: 365 }, { now: NOW - 2 * DAY, author: SERVICE });
  return workspace;
}

/** Fails at the write after `writes` ones. */
function failAfter(writes: number): Database {
  let left = writes;
  const write: Database['write'] = (...args) =>
    left-- > 0 ? t.db.write(...args) : Promise.reject(new Error('killed'));
  return { ...t.db, read: t.db.read.bind(t.db), write };
}

test('a run that ends at any write leaves data that verifies, and another process finishes it', async () => {
  let isKilled = true;
  for (let writes = 0; isKilled; writes++) {
    const workspace = await createOldWorkspace();
    isKilled = await run(workspace, failAfter(writes)).then(
      () => false,
      () => true,
    );
    expect(await verifyWorkspace(workspace, t.db), `${writes}`).toEqual([]);
    // Meanwhile people are subscribed, and changed.
    await subscribeContact(workspace, t.db, 'p0@x.test', 'They asked', CALLER, NOW);
    await updateContact(workspace, t.db, 'p5@x.test', { note: 'c' }, CALLER, NOW);
    expect(await verifyWorkspace(workspace, t.db), `${writes}`).toEqual([]);
    await run(workspace);
    const row = await t.db.read(workspace, readRetention);
    expect(row).toMatchObject({ run_line: null, deleted_events: 300 });
    expect(await verifyWorkspace(workspace, t.db), `${writes}`).toEqual([]);
    if (!isKilled) expect(writes).toBeGreaterThan(5);
  }
}, 240_000);

test('two processes at once delete each thing once', async () => {
  const workspace = await createOldWorkspace();
  await Promise.all([run(workspace), run(workspace)]);
  const row = await t.db.read(workspace, readRetention);
  expect(row).toMatchObject({ run_line: null, deleted_events: 300, deleted_lines: 2_406 });
  expect(await numbersOf(workspace)).toHaveLength(12 + 3);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});

test('a setting that is taken back stops a run, and the data verifies', async () => {
  const workspace = await createOldWorkspace();
  await run(workspace, failAfter(3)).catch(() => {});
  const before = await t.db.read(workspace, readRetention);
  expect(before.run_line).not.toBeNull();
  expect(before.number).toBeGreaterThan(0);
  await setRetention(workspace, t.db, { log_days: null, event_days: null }, { now: NOW, author: SERVICE });
  await run(workspace);
  const after = await t.db.read(workspace, readRetention);
  expect(after).toMatchObject({ run_line: null, next_at: null, number: before.number });
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});

test('a contact that is subscribed again in the middle of a run has no gap in its changes', async () => {
  const workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: null }, OLD);
  const email = 'ada@x.test';
  await t.db.write(workspace, (scope) => putContacts(scope, [{ attributes: { email } }], OLD));
  await unsubscribeContact(workspace, t.db, email, CALLER, OLD);
  await logExports(workspace, 1_200);
  await updateContact(workspace, t.db, email, { note: 'b' }, CALLER, OLD);
  await setRetention(workspace, t.db, { log_days: 365 }, { now: NOW - 2 * DAY, author: SERVICE });
  // The run has met the unsubscribe, and not yet the update.
  await run(workspace, failAfter(2)).catch(() => {});
  expect(await t.db.read(workspace, readRetention)).toMatchObject({ line_after: 1_000, kept: 1 });
  await subscribeContact(workspace, t.db, email, 'They asked', CALLER, NOW);
  await run(workspace);
  const numbers = await numbersOf(workspace);
  expect(numbers.slice(0, 2)).toEqual([1, 1_202]);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
  const changes = await listContactChanges(workspace, t.db, email, ALL);
  expect(changes).toMatchObject({
    meta: { total: 3 },
    data: [{ action: 'subscribe' }, { action: 'update' }, { action: 'unsubscribe' }],
  });
  await run(workspace, t.db, NOW + 370 * DAY);
  expect((await numbersOf(workspace))[0]).toBeGreaterThan(1_202);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});

test('a second run deletes what is no longer needed', async () => {
  const workspace = await createOldWorkspace();
  await run(workspace);
  await subscribeContact(workspace, t.db, 'p0@x.test', 'They asked', CALLER, NOW);
  expect(await numbersOf(workspace)).toHaveLength(12 + 4);
  await run(workspace, t.db, NOW + 370 * DAY);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
  // Of p0 only the subscription is left; the setting and both lines of the first run are old.
  expect(await numbersOf(workspace)).toHaveLength(10 + 1 + 2);
});

test('anyone who deletes or changes more than a run did is found', async () => {
  const workspace = await createOldWorkspace();
  await run(workspace);
  const own = sql`workspace_id = ${workspace.id}`;
  const row = await t.db.read(workspace, readRetention);
  const [kept, , other] = await numbersOf(workspace);
  const lines = await t.db.unscoped.kysely
    .selectFrom('changes')
    .selectAll()
    .where('workspace_id', '=', workspace.id)
    .execute();
  const lineAt = (number: number | undefined) => must(lines.find((line) => line.number === number));
  const first = must(lines.filter(({ number }) => number > row.number).toSorted((a, b) => a.number - b.number)[0]);
  const setRow = (values: Record<string, unknown>) =>
    sql`update retention set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))} where ${own}`;
  const found = async () => (await verifyLog(workspace, t.db))[0];

  const notKept = `Log: the entries that were kept up to ${row.number} aren't those that were written.`;
  await alterLog(t.db, sql`update changes set actor = 'x' where ${own} and number = ${kept}`);
  expect(await found()).toBe(notKept);
  await alterLog(t.db, sql`update changes set actor = ${lineAt(kept).actor} where ${own} and number = ${kept}`);
  expect(await found()).toBeUndefined();
  await alterLog(t.db, sql`update changes set hash = 'x' where ${own} and number = ${other}`);
  expect(await found()).toBe(notKept);
  await alterLog(t.db, sql`update changes set hash = ${lineAt(other).hash} where ${own} and number = ${other}`);

  // The row, without the key and with it.
  for (const values of [{ number: row.number + 1 }, { hash: 'x' }, { at: row.at + 1 }, { mac: 'x' }, { kept: 1 }]) {
    await alterLog(t.db, setRow(values));
    expect(await found(), JSON.stringify(values)).toMatch(/^Log: /);
    const restored = Object.keys(values).map((name) => [name, row[name as 'number']]);
    await alterLog(t.db, setRow(Object.fromEntries(restored) as Record<string, unknown>));
    expect(await found()).toBeUndefined();
  }
  const forged = { ...row, number: first.number, hash: first.hash, at: first.created_at };
  await alterLog(
    t.db,
    sql`delete from changes where ${own} and number = ${first.number}`,
    sql`delete from change_values where ${own} and number = ${first.number}`,
    setRow({ number: forged.number, hash: forged.hash, at: forged.at }),
  );
  expect(await found()).toBe("Log: the checkpoint isn't signed with the workspace's key.");
  await alterLog(t.db, setRow({ mac: signRetention({ workspace }, forged) }));
  expect(await found()).toMatch(/^Log: the checkpoint isn't that of entry \d+\.$/);
  // As if there had never been a run.
  await alterLog(t.db, sql`delete from retention where ${own}`);
  expect(await found()).toBe('Log: entry 1 is missing.');
});
