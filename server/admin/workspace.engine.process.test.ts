import { afterEach, beforeEach, expect, test } from 'vitest';
import { putEvents } from '../contacts/putEvents.ts';
import { findContact, putContacts, unsubscribeContact } from '../contacts/store.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import { COPIED_TABLES } from '../database/copyTables.ts';
import { countIndexed } from '../database/searchContacts.ts';
import { startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import type { Workspace } from '../database/workspace.ts';
import { findInconsistencies } from './check.ts';

const NOW = Date.UTC(2026, 10, 20);

let t: TestAdmin;
let other: Workspace;
beforeEach(async () => {
  t = await startTestAdmin();
  other = await createWorkspace(t.database, { name: 'Other', identity_field: null }, NOW);
});
afterEach(() => t[Symbol.asyncDispose]());

/** Something of each kind, the same in both. */
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
  const caller = { token: { uuid: '0d000000-0000-4000-8000-000000000001', name: 'desk' }, requestId: 'r', run: null };
  await unsubscribeContact(workspace, t.database, 'person1@x.test', caller, NOW);
  expect(
    (await t.admin(['member', 'invite', 'ann@x.test', '--role', 'admin', '--workspace', workspace.uuid])).code,
  ).toBe(0);
  await t.admin(['person', 'erase', 'person2@x.test', '--yes', '--workspace', workspace.uuid]);
}

/** All rows of `workspace`, and how many. */
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
      `To delete: the workspace Acme, ${t.workspace.uuid}, with contacts: 39, events: 3,000, domains: 1, addresses: 1, log lines: `,
    );
    expect(err).toContain(
      'run export, log export or backup first.\nThis cannot be undone. Type the name of the workspace to go on:\nThis is not its name. Nothing was deleted.\n',
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
  expect(await t.database.read(t.workspace, countIndexed)).toBe(0);
  expect(await findInconsistencies(other, t.database)).toEqual([]);
  expect(await findContact(other, t.database, 'person1@x.test')).toMatchObject({ subscribed: false });
  expect((await t.admin(['workspace', 'list'])).out).not.toContain('Acme');
  expect((await t.admin([...args, '--name', 'Acme'])).err).toContain('There is no workspace with this UUID');
  // The log of others is as closed as before.
  const change = t.database.write(other, (scope) => scope.delete('changes').execute());
  await expect(change).rejects.toThrow();
});

test('rename is in the log, and no two are called the same', async () => {
  const rename = (name: string) => t.admin(['workspace', 'rename', '--workspace', t.workspace.uuid, '--name', name]);
  for (const taken of ['Other', ' OTHER ']) {
    const { code, err } = await rename(taken);
    expect([code, err]).toEqual([1, `The workspace ${other.uuid} is called that already.\n`]);
  }
  expect((await t.admin(['workspace', 'create', '--name', 'acme'])).err).toContain('is called that already.');
  expect(await rename('ACME')).toMatchObject({ code: 0, out: 'The workspace Acme is called ACME now.\n' });
  const log = await t.admin(['log', 'export', '--workspace', t.workspace.uuid]);
  const [line] = log.out
    .split('\n')
    .map((one) => (one === '' ? {} : (JSON.parse(one) as { action: string; values: { summary: string } | null })));
  expect(line).toMatchObject({ action: 'workspace_rename', actor_kind: 'command' });
  expect(JSON.stringify(line)).toContain('Acme');
});
