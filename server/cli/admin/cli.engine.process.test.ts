import { must } from '#contract/values/must.ts';
import { VERSION } from '../../settings/program.ts';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestAdmin, type TestAdmin } from '../../testing/processes/testAdmin.ts';
import { withSettings } from '../../testing/testDatabase.ts';
import { ALL } from '../../testing/testList.ts';
import { newPerson, signInAs, testAccount } from '../../testing/testPeople.ts';
import { listChanges } from '../../auditLog/listChanges.ts';
import { createToken, findPrincipal } from '../../workspaces/store.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let t: TestAdmin;
beforeAll(async () => {
  t = await startTestAdmin();
});
afterAll(() => t[Symbol.asyncDispose]());

test('a workspace is made, also on a database that is not there yet, listed, suspended and resumed', async () => {
  const url = `file:${await t.file('new/folder/test.db')}`;
  const made = await t.admin(['workspace', 'create', '--name', ' Zoë & Co ', '--identity-field', 'customer_id'], {
    url,
  });
  expect(made).toMatchObject({ code: 0, err: '' });
  const [uuid = ''] = /[0-9a-f-]{36}/.exec(made.out) ?? [];
  const list = () => t.admin(['workspace', 'list', '--json'], { url });
  const workspace = { uuid, name: 'Zoë & Co', identity_field: 'customer_id', moved_to: null };
  const suspended = await t.admin(['workspace', 'suspend', '--workspace', uuid.toUpperCase()], { url });
  expect(suspended).toMatchObject({ code: 0, out: 'The workspace Zoë & Co is now suspended.\n' });
  expect((await list()).result()).toEqual([{ ...workspace, suspended: true }]);
  const resumed = await t.admin(['workspace', 'resume', '--workspace', uuid, '--json'], { url });
  expect(resumed.result()).toEqual({ uuid, suspended: false });
  const said = await t.admin(['workspace', 'list'], { url });
  expect(said.out).toContain(`${uuid}  Zoë & Co  identity field customer_id\n`);
});

test('a token opens its workspace until it is revoked, and is shown only when it is made', async () => {
  const workspace = ['--workspace', t.workspace.uuid, '--json'];
  const start = Date.now();
  const create = ['token', 'create', '--name', 'Nightly job', '--role', 'read', '--expires', '90d'];
  const made = (await t.admin([...create, ...workspace])).result() as Record<'uuid' | 'token' | 'expires_at', string>;
  const { uuid, token, expires_at } = made;
  const end = Date.parse(expires_at);
  expect(await findPrincipal(t.database, token, end - 1)).toMatchObject({ token: { uuid }, role: 'read' });
  expect(await findPrincipal(t.database, token, end)).toBeNull();
  const lifetime = 90 * 86_400_000;
  expect(end).toBeGreaterThanOrEqual(start + lifetime);
  expect(end).toBeLessThanOrEqual(Date.now() + lifetime);
  const list = () => t.admin(['token', 'list', ...workspace]);
  const listed = {
    uuid,
    name: 'Nightly job',
    role: 'read',
    created_at: expect.any(String),
    expires_at,
    last_used_on: null,
  };
  const { out, result } = await list();
  expect(out).not.toContain(token);
  expect(result()).toEqual([{ ...listed, revoked_at: null }]);

  expect(await t.admin(['token', 'revoke', uuid, ...workspace])).toMatchObject({ code: 0 });
  expect(await findPrincipal(t.database, token, Date.now())).toBeNull();
  expect((await list()).result()).toEqual([{ ...listed, revoked_at: expect.stringMatching(/Z$/) }]);
});

test('people are invited, listed, changed and removed, and sessions ended', async () => {
  const workspace = ['--workspace', t.workspace.uuid, '--json'];
  const invited = await t.admin(['member', 'invite', 'ann@example.com', '--role', 'admin', ...workspace]);
  const { uuid } = invited.result() as { uuid: string };
  const again = await t.admin(['member', 'invite', 'Ann@example.com', '--role', 'read', ...workspace]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('A member already has this address') });
  const at = { database: t.database, clock: { now: Date.now() } };
  expect(await signInAs(at, testAccount('ann@example.com'))).not.toBeNull();

  const listed = (await t.admin(['session', 'list', ...workspace])).result() as { uuid: string }[];
  expect(listed).toMatchObject([{ person: { email: 'ann@example.com' }, token: null }]);
  expect(await t.admin(['session', 'end', listed[0]?.uuid ?? '', ...workspace])).toMatchObject({ code: 0 });
  expect((await t.admin(['session', 'list', ...workspace])).result()).toEqual([]);
  expect(await t.admin(['session', 'end', listed[0]?.uuid ?? '', ...workspace])).toMatchObject({ code: 1 });

  // The last admin: at the command line it is said, and done.
  const lowered = await t.admin(['member', 'role', uuid, '--role', 'read', ...workspace]);
  expect(lowered).toMatchObject({ code: 0, err: expect.stringContaining('No admin of this workspace can sign in') });
  expect((await t.admin(['member', 'list', ...workspace])).result()).toMatchObject([{ uuid, role: 'read' }]);
  const { person_uuid } = await t.database.unscoped.kysely
    .selectFrom('members')
    .select('person_uuid')
    .executeTakeFirstOrThrow();
  const by = { kind: 'person', uuid: must(person_uuid), name: 'Ann', email: 'ann@example.com', subject: '' } as const;
  const author = { actor: by, requestId: null, run: null };
  await createToken(t.workspace, t.database, { name: 'of Ann', role: 'read' }, Date.now(), author);
  const removed = await t.admin(['member', 'remove', uuid, '--revoke-tokens', ...workspace]);
  expect(removed.result()).toMatchObject({ removed: true, tokens: [{ name: 'of Ann' }], tokens_revoked: true });
  const tokens = (await t.admin(['token', 'list', ...workspace])).result() as { name: string; revoked_at: unknown }[];
  expect(tokens.find(({ name }) => name === 'of Ann')?.revoked_at).not.toBeNull();
  expect((await t.admin(['member', 'list', ...workspace])).result()).toEqual([]);
});

test('a session is ended with its line in the log, or not at all', async () => {
  const workspace = ['--workspace', t.workspace.uuid, '--json'];
  const at = { database: t.database, clock: { now: Date.now() } };
  await newPerson(at, t.workspace, 'read', 'bob@example.com');
  const listed = async () => (await t.admin(['session', 'list', ...workspace])).result() as { uuid: string }[];
  const [session] = await listed();
  const end = ['session', 'end', session?.uuid ?? '', ...workspace];
  await t.database.write(
    t.workspace,
    async () => {
      const said = await t.admin(end, { url: withSettings(t.url, 'lock_timeout=200') });
      expect(said).toMatchObject({ code: 1, err: expect.stringContaining('Try again') });
    },
    { isBulk: true },
  );
  expect(await listed()).toMatchObject([{ uuid: session?.uuid }]);
  expect(await t.admin(end)).toMatchObject({ code: 0 });
  expect(await listed()).toEqual([]);
  const { data } = await listChanges(t.workspace, t.database, ALL);
  const ended = data.filter(({ action }) => action === 'session_end');
  expect(ended.filter(({ details }) => details?.['email'] === 'bob@example.com')).toHaveLength(1);
});

test.concurrent.each([
  [['member', 'invite', 'ann', '--role', 'read', '--workspace', NOBODY], 'It must be an email address.'],
  [['member', 'invite', 'a@b', '--role', 'ingest', '--workspace', NOBODY], 'Allowed choices are read, support, editor'],
  [['workspace', 'crate'], "unknown command 'crate'"],
  [['workspace', 'create'], "required option '--name <name>' not specified"],
  [['workspace', 'create', '--name', ' '], 'It is empty.'],
  [['workspace', 'create', '--name', 'a\u001b[2Jb'], 'It has invisible characters.'],
  [['token', 'create', '--name', 'x'.repeat(101), '--role', 'read'], 'It is longer than 100 characters.'],
  [['workspace', 'create', '--name', 'a', '--identity-field', 'email'], "It's already an identity."],
  [['workspace', 'create', '--name', 'a', '--identity-field', '__proto__'], 'A key cannot be __proto__.'],
  [['workspace', 'suspend', '--workspace', 'acme'], 'It must be a UUID.'],
  ...['0d', '3651d'].map((expires): [string[], string] => [
    ['token', 'create', '--name', 'a', '--role', 'read', '--expires', expires],
    'It must be hours or days, such as 12h or 90d, and at most ten years',
  ]),
  [['import', 'contacts', 'people', '--workspace', NOBODY], 'add --format ndjson or --format csv'],
  [['export', 'contacts', '--json', '--workspace', NOBODY], '--json needs a file'],
])('%j is wrong use', async (args, sentence) => {
  const said = await t.admin([...args, '--json'], { url: `file:${await t.file('untouched.db')}` });
  expect(said).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
  expect(said.result()).toEqual({ error: expect.stringContaining(sentence) });
  expect(existsSync(await t.file('untouched.db'))).toBe(false);
});

test.concurrent.each([
  [['token', 'list', '--workspace', NOBODY], 'Unknown workspace. See workspace list.'],
  [['token', 'revoke', NOBODY, '--workspace', 'W'], 'Unknown token. See token list.'],
  [['import', 'contacts', 'nothing.csv', '--workspace', 'W'], 'There is no file nothing.csv.'],
  [['import', 'contacts', '.', '--format', 'csv', '--workspace', 'W'], '. is a folder.'],
  [['export', 'contacts', 'no/folder.ndjson', '--workspace', 'W'], 'The folder of no/folder.ndjson does not exist.'],
])('%j fails in a sentence', async (args, sentence) => {
  const before = await t.rows();
  const said = await t.admin([...args.map((arg) => (arg === 'W' ? t.workspace.uuid : arg)), '--json']);
  expect(said).toMatchObject({ code: 1, err: `${sentence}\n` });
  expect(said.result()).toEqual({ error: sentence });
  expect(await t.rows()).toEqual(before);
});

test('the data of a gateway are elsewhere, so nothing is made here', async () => {
  const said = await t.admin(['workspace', 'list'], { url: '', settings: { UPSTREAM_URL: 'https://api.example.com' } });
  expect(said).toMatchObject({
    code: 1,
    out: '',
    err: 'A gateway has no data of its own: set DATABASE_URL instead of UPSTREAM_URL.\n',
  });
  expect(existsSync(await t.file('data'))).toBe(false);
});

test('--help explains every command, and it and --version need no database', async () => {
  const said = await t.admin(['import', '--help'], { url: 'file:' });
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('--strict'), err: '' });
  expect(said.out).toContain('--json');
  expect(await t.admin(['--version'], { url: 'file:' })).toMatchObject({ code: 0, out: `${VERSION}\n`, err: '' });
});
