import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { listChanges } from '../../auditLog/listChanges.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../../testing/processes/testAdmin.ts';
import { createHistory } from '../../testing/testHistory.ts';
import { alterLog } from '../../testing/testLog.ts';
import { ALL } from '../../testing/testList.ts';

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const digest = (values: unknown[]) => createHash('sha256').update(JSON.stringify(values)).digest('hex');

/** As docs/admin.md describes it, and with nothing of the service: the last hash, or the line that is wrong. */
function verify(text: string): string {
  let before = '';
  for (const [index, row] of text.trimEnd().split('\n').entries()) {
    const { hash, values, ...line } = JSON.parse(row) as Record<string, unknown> & { values: object | null };
    const isSame = line['number'] === index + 1 && hash === digest([before, ...Object.values(line)]);
    const isSaid = values === null || line['values_digest'] === digest(Object.values(values));
    if (!isSame || !isSaid) return `Line ${index + 1} is not as it was written.`;
    before = hash;
  }
  return before;
}

/** The script of the document, where there is a Python. */
async function verifyByScript(text: string): Promise<string | null> {
  const document = await readFile(join(import.meta.dirname, '../../../docs/admin.md'), 'utf8');
  const script = must(/```python\n(.*?)```/s.exec(document)?.[1]);
  const { error, stdout, stderr } = spawnSync('python3', ['-c', script], { input: text, encoding: 'utf8' });
  return error === undefined ? (stdout || stderr).trim() : null;
}

async function exportLog(...options: string[]): Promise<string> {
  const { code, out, err } = await t.admin(['log', 'export', '--workspace', t.workspace.uuid, ...options]);
  expect([code, err]).toEqual([0, '']);
  return out;
}

test('an export goes on after the last line of an earlier one', async () => {
  t.workspace = await createHistory(t.database, 5, 60);
  const whole = await exportLog();
  // Each export is a line too. Earlier lines and those after them are the whole.
  const lines = whole.split(/(?<=\n)/);
  expect(lines.length).toBeGreaterThan(20);
  const joined = lines.slice(0, 20).join('') + (await exportLog('--after', '20'));
  expect(joined.slice(0, whole.length)).toBe(whole);
  expect(verify(joined)).toHaveLength(64);
  const last = await exportLog('--after', String(lines.length + 1));
  expect(JSON.parse(last)).toMatchObject({ number: lines.length + 2, action: 'export' });
  const wrong = await t.admin(['log', 'export', '--workspace', t.workspace.uuid, '--after', '-1']);
  expect(wrong.code).toBe(2);
});

test('others can verify an export, and find the line that was changed', async () => {
  t.workspace = await createHistory(t.database, 5, 60);
  const whole = await exportLog();
  const { log_hash } = await t.database.unscoped.kysely
    .selectFrom('workspace_heads')
    .select('log_hash')
    .where('workspace_id', '=', t.workspace.id)
    .executeTakeFirstOrThrow();
  expect(verify(whole)).toBe(log_hash);
  expect([log_hash, null]).toContain(await verifyByScript(whole));

  await t.database.write(t.workspace, async (scope) => {
    const [values] = await scope.select('change_values').selectAll().orderBy('number').limit(1).execute();
    await scope.delete('change_values').where('number', '=', must(values).number).execute();
  });
  const erased = await exportLog();
  expect(verify(erased)).toMatch(/^[0-9a-f]{64}$/);
  // It goes on from the last hash of the export before.
  expect(erased.trimEnd().split('\n').at(-2)).toContain(log_hash);

  await alterLog(
    t.database,
    sql`update changes set actor_name = 'somebody' where workspace_id = ${t.workspace.id} and number = 9`,
  );
  const altered = await exportLog();
  expect(verify(altered)).toBe('Line 9 is not as it was written.');
  expect(['Line 9 is not as it was written.', null]).toContain(await verifyByScript(altered));
});

test('tokens, imports and exports of the command are in it', async () => {
  const workspace = ['--workspace', t.workspace.uuid];
  const create = ['token', 'create', '--name', 'crm', '--role', 'support', '--json', ...workspace];
  const { uuid } = (await t.admin(create)).result() as { uuid: string };
  const person = { attributes: { email: 'ada@x.test' } };
  const changed = { attributes: { email: 'ada@x.test', plan: 'team' } };
  await t.importFile('contacts', await t.file('one.ndjson', ndjson([person, { attributes: { email: 'no' } }])));
  // The second import does nothing.
  for (let time = 0; time < 2; time++) await t.importFile('contacts', await t.file('two.ndjson', ndjson([changed])));
  await t.admin(['export', 'contacts', ...workspace]);
  for (let time = 0; time < 2; time++) await t.admin(['token', 'revoke', uuid, ...workspace]);
  const { data } = await listChanges(t.workspace, t.database, ALL);
  const imported = { resource: 'contacts', changed: 0, unchanged: 0, refused: 0 };
  expect(data.map(({ action, details }) => [action, details])).toEqual([
    ['token_revoke', { token: uuid, name: 'crm', role: 'support' }],
    ['export', { resource: 'contacts' }],
    ['import_run', { ...imported, added: 0, changed: 1 }],
    ['import', null],
    ['import_run', { ...imported, added: 1, refused: 1 }],
    ['token_create', { token: uuid, name: 'crm', role: 'support' }],
  ]);
  expect(new Set(data.map(({ actor }) => actor.kind))).toEqual(new Set(['command']));
  const [, , run, contact, other] = data.map((line) => line.run);
  expect([contact, contact]).toEqual([run, expect.not.stringMatching(String(other))]);
});

const dns = (mx: boolean, txt: boolean) => [
  { type: 'MX', name: 'm.x.test', value: 'a.test', is_valid: mx },
  { type: 'TXT', name: 'x.test', value: 'v=spf1 -all', is_valid: txt },
];

test('a domain whose verdicts an import changes has a line that says which, and one that is added has none', async () => {
  const put = async (...domains: object[]) =>
    t.importFile('domains', await t.file(`${randomUUID()}.ndjson`, ndjson(domains)));
  await put({ name: 'x.test', verified: false, dns: dns(true, false) }, { name: 'y.test', verified: true });
  await put({ name: 'x.test', provider: 'other' }, { name: 'y.test', verified: true });
  await put({ name: 'x.test', verified: true, dns: dns(true, true) }, { name: 'y.test', status: 'failed' });
  const { data } = await listChanges(t.workspace, t.database, { ...ALL, filters: { action: 'verdict_set' } });
  expect(data.map(({ details, fields, actor }) => [details, fields, actor.kind])).toEqual([
    [{ domain: 'y.test' }, ['status'], 'command'],
    [{ domain: 'x.test' }, ['verified', 'dns TXT x.test'], 'command'],
  ]);
});
