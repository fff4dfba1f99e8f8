import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putEvents } from '../../contacts/events/putEvents.ts';
import { addEntries, keepRun } from '../../contacts/runs/runs.ts';
import { findContact, putContacts, unsubscribeContact } from '../../contacts/store.ts';
import { createView } from '../../contacts/views/savedViews.ts';
import { putAddresses } from '../../domains/putAddresses.ts';
import { putDomains } from '../../domains/putDomains.ts';
import { COPIED_TABLES } from '../../database/copyTables.ts';
import { verifySearchIndex } from '../../database/search/searchContacts.ts';
import { must } from '#contract/values/must.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { createSharedLink } from '../../domains/share/sharedLinks.ts';
import { createDestination } from '../../notifications/destinations.ts';
import { planWorkspace } from '../../notifications/planning/planWorkspace.ts';
import { CALLER } from '../../testing/testDatabase.ts';
import { startTestAdmin, type TestAdmin } from '../../testing/processes/testAdmin.ts';
import { inviteMember } from '../../members/members.ts';
import { signInAs, testAccount } from '../../testing/testPeople.ts';
import { deleteWorkspace } from '../../workspaces/deleteWorkspace.ts';
import { createToken, createWorkspace, findWorkspace } from '../../workspaces/store.ts';
import type { Database } from '../../database/database.ts';
import type { Workspace } from '../../database/workspace.ts';
import { verifyWorkspace } from './verify.ts';

const NOW = Date.UTC(2026, 10, 20);

let t: TestAdmin;
let other: Workspace;
beforeEach(async () => {
  t = await startTestAdmin();
  other = await createWorkspace(t.database, { name: 'Other', identity_field: null }, NOW);
});
afterEach(() => t[Symbol.asyncDispose]());

async function fill(workspace: Workspace): Promise<void> {
  const { token } = await createToken(workspace, t.database, { name: 'desk', role: 'admin' }, NOW);
  expect(token).toBeTruthy();
  await t.database.write(workspace, async (scope) => {
    const people = Array.from({ length: 40 }, (_, index) => ({ attributes: { email: `person${index}@x.test` } }));
    await putContacts(scope, people, NOW);
    const events = Array.from({ length: 3000 }, (_, index) => ({
      contact: 'person0@x.test',
      event_name: `a${index % 3}`,
      attributes: {},
      created_at: NOW + index,
    }));
    await putEvents(scope, events, NOW);
    await putDomains(
      scope,
      [{ name: 'x.test', domain: 'x.test', dns: [{ type: 'MX', name: 'x.test', value: '10 a.test', is_valid: true }] }],
      NOW,
    );
    await putAddresses(scope, [{ domain: 'x.test', address: 'hello' }], NOW);
  });
  await fillNotifications(workspace);
  await fillLists(workspace);
  expect((await t.admin(['index', 'add', 'email', '--workspace', workspace.uuid])).code).toBe(0);
  const caller = { token: { uuid: '0d000000-0000-4000-8000-000000000001', name: 'desk' }, requestId: 'r', run: null };
  await unsubscribeContact(workspace, t.database, 'person1@x.test', caller, NOW);
  expect(
    (await t.admin(['member', 'invite', 'ann@x.test', '--role', 'admin', '--workspace', workspace.uuid])).code,
  ).toBe(0);
  await t.admin(['person', 'erase', 'person2@x.test', '--yes', '--workspace', workspace.uuid]);
}

/** A destination, a message to it, and a shared link. */
async function fillNotifications(workspace: Workspace): Promise<void> {
  const rules = { incidents: [], contact_changes: true, digest: false, heartbeat: false };
  const given = { kind: 'webhook' as const, name: 'w', address: 'https://example.com/', rules };
  const senders = { mailer: null, isAllowed: () => false, consoleUrl: null };
  const by = { now: NOW, author: COMMAND };
  await createDestination(workspace, t.database, given, senders, by);
  await unsubscribeContact(workspace, t.database, 'person3@x.test', CALLER, NOW);
  await planWorkspace(workspace, t.database, NOW);
  const [domain] = await t.database.read(workspace, (scope) => scope.select('domains').select('uuid').execute());
  expect(await createSharedLink(workspace, t.database, must(domain).uuid, by)).toMatchObject({ link: {} });
}

/** A bulk run of one contact, and a view of contacts. */
async function fillLists(workspace: Workspace): Promise<void> {
  const by = { now: NOW, author: COMMAND };
  const { uuid } = await keepRun(workspace, t.database, { uuid: randomUUID(), entries: 1 }, by);
  await addEntries(workspace, t.database, uuid, { from: 0, entries: [['person3@x.test']] }, by);
  const view = { name: 'All', query: '', shared: false };
  await createView(workspace, t.database, view, { ...by, isAdmin: true });
}

async function sign(workspace: Workspace, email: string): Promise<void> {
  await inviteMember(workspace, t.database, { email, role: 'read' }, NOW);
  expect(await signInAs({ database: t.database, clock: { now: NOW } }, testAccount(email))).not.toBeNull();
}

const create = (name: string) => t.admin(['workspace', 'create', '--name', name]);

function rowsOf(rows: Record<string, unknown[]>, { id }: Workspace) {
  const of = Object.entries(rows).map(([table, all]) => {
    const own = all.filter((row) => {
      const { workspace_id, ...rest } = row as { workspace_id?: unknown; id?: unknown };
      return Number(table === 'workspaces' ? rest.id : workspace_id) === id;
    });
    return [table, own] as const;
  });
  return { rows: Object.fromEntries(of), count: of.reduce((sum, [, own]) => sum + own.length, 0) };
}

test('delete says what goes, asks for the name, and leaves nothing of it and everything of others', async () => {
  for (const workspace of [t.workspace, other]) await fill(workspace);
  const before = await t.rows();
  expect(Object.keys(before)).toEqual(expect.arrayContaining([...COPIED_TABLES]));
  const kept = rowsOf(before, other);
  const filled = Object.entries(rowsOf(before, t.workspace).rows).filter(([, own]) => own.length > 0);
  expect(filled.length).toBeGreaterThan(12);

  const args = ['workspace', 'delete', '--workspace', t.workspace.uuid];
  for (const stdin of ['', 'acme\n', 'yes\n']) {
    const { code, err, out } = await t.admin(args, { stdin });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(
      `To delete: the workspace Acme, ${t.workspace.uuid}, with contacts: 39, events: 3,000, domains: 1, addresses: 1, shared links: 1, destinations: 1, messages: 1, deliveries: 1, runs: 1, saved views: 1, log lines: `,
    );
    expect(err).toContain(
      "run export, log export or backup first.\nThis can't be undone. Type the name of the workspace to continue:\nThe name doesn't match. Nothing was deleted.\n",
    );
  }
  expect(rowsOf(await t.rows(), t.workspace).count).toBe(rowsOf(before, t.workspace).count);

  const done = await t.admin([...args, '--json'], { stdin: 'Acme\n' });
  expect(done.code).toBe(0);
  expect(done.result()).toMatchObject({
    uuid: t.workspace.uuid,
    name: 'Acme',
    contacts: 39,
    events: 3000,
    members: 1,
    tokens: 1,
    log_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  const after = await t.rows();
  expect(rowsOf(after, t.workspace).count).toBe(0);
  expect(rowsOf(after, other).rows).toEqual(kept.rows);
  expect(JSON.stringify(after)).not.toContain(t.workspace.uuid);
  expect(await t.database.read(t.workspace, verifySearchIndex)).toEqual([]);
  expect(await verifyWorkspace(other, t.database)).toEqual([]);
  expect(await findContact(other, t.database, 'person1@x.test')).toMatchObject({ subscribed: false });
  expect((await t.admin(['workspace', 'list'])).out).not.toContain('Acme');
  expect((await t.admin([...args, '--name', 'Acme'])).err).toContain('Unknown workspace');
  // The log of others is as closed as before.
  const change = t.database.write(other, (scope) => scope.delete('changes').execute());
  await expect(change).rejects.toThrow();
});

test('a deletion that ends at any write is finished by a repeat, and leaves no person who is in no other workspace', async () => {
  let writes = 0;
  const endingAt = (end: number): Database => {
    const count = () => {
      if (++writes === end) throw new Error('killed');
    };
    const { database } = t;
    return {
      ...database,
      write: async (...write) => (count(), database.write(...write)),
      unscoped: { ...database.unscoped, write: async (work) => (count(), database.unscoped.write(work)) },
    };
  };
  await sign(other, 'both@x.test');
  const makeOne = async (round: number) => {
    const workspace = await createWorkspace(t.database, { name: `Short ${round}`, identity_field: null }, NOW);
    await sign(workspace, 'both@x.test');
    await sign(workspace, `only${round}@x.test`);
    return workspace;
  };
  await deleteWorkspace(await makeOne(0), endingAt(Infinity), () => {});
  const all = writes;
  for (let end = all; end > all - 8; end--) {
    const workspace = await makeOne(end);
    writes = 0;
    await expect(deleteWorkspace(workspace, endingAt(end), () => {})).rejects.toThrow('killed');
    const left = await findWorkspace(t.database, workspace.uuid);
    if (left !== null) await deleteWorkspace(left, t.database, () => {});
    const rows = await t.rows();
    expect(rows.people, `ended at ${end} of ${all}`).toMatchObject([{ email: 'both@x.test' }]);
    expect(rowsOf(rows, workspace).count).toBe(0);
  }
});

test('a name that looks like another is taken, and one with a hidden character is confirmed as it is shown', async () => {
  for (const [name, looksSame] of [
    ['North  Team', 'north team'],
    ['Straße', 'STRASSE'],
    ['École', 'e\u0301cole'],
    ['Zero', 'Z\u200bero'],
    ['Wide', '\uff37ide'],
  ] as const) {
    expect((await create(name)).code, name).toBe(0);
    expect((await create(looksSame)).err, looksSame).toContain('already has this name.');
  }
  for (const name of ['Müller', 'Muller', 'Acme 2']) expect((await create(name)).code, name).toBe(0);
  for (const [name, typed] of [
    ['e\u0301tage', '\u00e9tage'],
    ['A\u200bB', 'A[U+200B]B'],
    ['$(id) `x` "q" \'s\' ; --name', '$(id) `x` "q" \'s\' ; --name'],
    ['x'.repeat(200), 'x'.repeat(200)],
  ] as const) {
    const made = await t.admin(['--json', 'workspace', 'create', '--name', name]);
    const { uuid } = made.result() as { uuid: string };
    const { code, err } = await t.admin(['workspace', 'delete', '--workspace', uuid], { stdin: `${typed}\r\n` });
    expect([code, err], name).toEqual([
      0,
      expect.stringContaining(`To delete: the workspace ${name.includes('\u200b') ? typed : name}, `),
    ]);
  }
});

test('rename is in the log, and no two are called the same', async () => {
  const rename = (name: string) => t.admin(['workspace', 'rename', '--workspace', t.workspace.uuid, '--name', name]);
  for (const taken of ['Other', ' OTHER ']) {
    const { code, err } = await rename(taken);
    expect([code, err]).toEqual([1, `The workspace ${other.uuid} already has this name.\n`]);
  }
  expect((await t.admin(['workspace', 'create', '--name', 'acme'])).err).toContain('already has this name.');
  expect(await rename('ACME')).toMatchObject({ code: 0, out: 'The workspace Acme is now called ACME.\n' });
  const log = await t.admin(['log', 'export', '--workspace', t.workspace.uuid]);
  const [line] = log.out
    .split('\n')
    .map((one) => (one === '' ? {} : (JSON.parse(one) as { action: string; values: { summary: string } | null })));
  expect(line).toMatchObject({ action: 'workspace_rename', actor_kind: 'command' });
  expect(JSON.stringify(line)).toContain('Acme');
});
