import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { putEvents } from '../../contacts/events/putEvents.ts';
import { putContacts, unsubscribeContact, updateContact } from '../../contacts/store.ts';
import { startTestAdmin, type TestAdmin } from '../../testing/processes/testAdmin.ts';
import { CALLER } from '../../testing/testDatabase.ts';
import { readUpkeep } from '../../workspaces/upkeep.ts';

const DAY = 86_400_000;

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const retention = (command: string, ...more: string[]) =>
  t.admin(['retention', command, '--workspace', t.workspace.uuid, ...more]);
const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

/** Of a person who is unsubscribed and one who isn't, 400 days ago; the first one has an event from then. */
async function addOldData(): Promise<void> {
  const old = Date.now() - 400 * DAY;
  await t.database.write(t.workspace, async (scope) => {
    const emails = ['ada@x.test', 'eve@x.test'];
    await putContacts(
      scope,
      emails.map((email) => ({ attributes: { email } })),
      old,
    );
    await putEvents(scope, [{ contact: 'ada@x.test', event_name: 'opened', attributes: {}, created_at: old }], old);
  });
  for (const email of ['ada@x.test', 'eve@x.test'])
    await updateContact(t.workspace, t.database, email, { plan: 'team' }, CALLER, old);
  await unsubscribeContact(t.workspace, t.database, 'ada@x.test', CALLER, old);
}

test('is off, previews, is set, deletes, and leaves a log that anybody can verify', async () => {
  await addOldData();
  expect((await retention('show')).out).toBe('Events are kept, log entries are kept.\n');
  expect((await retention('run')).out).toBe('There was nothing to delete.\n');
  const would =
    `A run now would delete events from before ${dayBefore(30)}: 1, log entries from before ${dayBefore(366)}: 2.` +
    ' Older entries that are still needed and stay: 1.\n';
  const previewed = await retention('preview', '--events', '30d', '--log', '1y');
  expect(previewed).toMatchObject({ code: 0, out: would, err: '' });
  const set = await retention('set', '--events', '30d', '--log', '1y');
  const next = /Next run: (\S+)\.\n/.exec(set.out)?.[1];
  expect(set.out).toBe(
    `Events are deleted after 30 days, log entries are deleted after 366 days. Next run: ${next}.\n${would}`,
  );
  expect(Math.abs(Date.parse(must(next)) - Date.now() - DAY)).toBeLessThan(60_000);
  expect((await retention('run', '--json')).result()).toEqual({ events: 1, entries: 2 });

  const { out } = await t.admin(['log', 'export', '--workspace', t.workspace.uuid]);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { number: number; action: string; hash: string; actor_kind: string });
  expect(lines.map(({ number, action }) => [number, action])).toEqual([
    [3, 'unsubscribe'],
    [4, 'retention_change'],
    [5, 'retention_start'],
    [6, 'retention_end'],
    [7, 'export'],
  ]);
  const document = await readFile(join(import.meta.dirname, '../../../docs/admin.md'), 'utf8');
  const script = must(/```python\n(.*?)```/s.exec(document)?.[1]);
  const verify = (input: string) => {
    const { error, stdout, stderr } = spawnSync('python3', ['-c', script], { input, encoding: 'utf8' });
    return error === undefined ? (stdout || stderr).trim() : null;
  };
  expect([must(lines.at(-1)).hash, null]).toContain(verify(out));
  const altered = out.replace('"actor_name":"support"', '"actor_name":"nobody"');
  expect(altered).not.toBe(out);
  expect(['Lines before the checkpoint are not those that were kept.', null]).toContain(verify(altered));

  const verified = await t.admin(['verify', '--workspace', t.workspace.uuid]);
  expect(verified).toMatchObject({ code: 0, out: 'No errors found.\n' });
  expect(must((await readUpkeep(t.database, Date.now())).verificationAge)).toBeLessThan(60_000);

  const off = await retention('set', '--events', 'keep', '--log', 'keep', '--json');
  expect(off.result()).toMatchObject({ event_days: null, log_days: null, next_at: null });
});

test.each([
  ['--events', '29d'],
  ['--log', '89d'],
  ['--log', '7'],
  ['--log', '7m'],
  ['--events', '-1d'],
  ['--log', '101y'],
])('refuses %s %s, and changes nothing', async (option, age) => {
  const { code, err } = await retention('set', option, age);
  expect(code).toBe(2);
  expect(err).toContain('It must be days or years');
  expect((await retention('show')).out).toBe('Events are kept, log entries are kept.\n');
});

test('set says what it needs', async () => {
  expect(await retention('set')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Set --events, --log or both.'),
  });
});

test('a backup by another program is recorded', async () => {
  expect(await t.admin(['backup-done'])).toMatchObject({ code: 0, out: 'Recorded the backup.\n' });
  expect(must((await readUpkeep(t.database, Date.now() + DAY)).backupAge)).toBeGreaterThan(DAY - 1000);
  expect(must((await readUpkeep(t.database, Date.now() + DAY)).backupAge)).toBeLessThan(DAY + 60_000);
});
