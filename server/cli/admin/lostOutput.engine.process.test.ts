import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programFile } from '../../testing/processes/programFile.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../../testing/processes/testAdmin.ts';
import { type ProgramOutput, runProgram } from '../../testing/processes/testProcess.ts';

// Output that nobody gets: a full disk, or a reader that stops.

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const FULL = 'No space left for standard output.\n';

const onFullDisk = (...args: string[]): Promise<ProgramOutput> =>
  runProgram(['sh', '-c', '"$0" "$@" > /dev/full', process.execPath, programFile('admin'), ...args], {
    stdin: '',
    env: { DATABASE_URL: t.url },
  });

async function unread(stream: 'stdout' | 'stderr', args: string[]): Promise<{ code: unknown; said: string }> {
  const child = spawn(process.execPath, [programFile('admin'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { DATABASE_URL: t.url },
  });
  child[stream].destroy();
  const other = stream === 'stdout' ? child.stderr : child.stdout;
  const [said, [code]] = await Promise.all([text(other), once(child, 'exit')]);
  return { code, said };
}

const workspace = () => ['--workspace', t.workspace.uuid];
const create = () => ['token', 'create', '--name', 'Nightly job', '--role', 'read', ...workspace()];

async function onlyToken(): Promise<string> {
  const listed = await t.admin(['token', 'list', ...workspace(), '--json']);
  const [token, ...others] = listed.result() as { uuid: string }[];
  expect(others).toEqual([]);
  return token?.uuid ?? '';
}

test('a result for which there is no space is a sentence, and not everything was done', async () => {
  await t.importFile('contacts', await t.file('in.ndjson', ndjson([{ attributes: { email: 'ada@x.test' } }])));
  for (const args of [
    ['workspace', 'list'],
    ['workspace', 'crate', '--json'],
    ['export', 'contacts', '-', ...workspace()],
    ['--help'],
  ]) {
    const { code, err } = await onFullDisk(...args);
    expect([args, code, err]).toEqual([args, 1, expect.stringMatching(new RegExp(`(^|\n)${FULL}$`))]);
    expect(err).not.toContain('    at ');
  }
});

test('a result that nobody reads is no failure', async () => {
  for (const args of [['workspace', 'list'], ['workspace', 'list', '--json'], ['--help']]) {
    expect(await unread('stdout', args)).toEqual({ code: 0, said: '' });
  }
});

const sentence = async () =>
  `The secret of token ${await onlyToken()} couldn't be printed. Revoke it and create another.\n`;

test('a token whose secret nobody got is named, to be revoked: on a full disk, and where the reader had stopped', async () => {
  expect(await onFullDisk(...create())).toEqual({ code: 1, out: '', err: (await sentence()) + FULL });
  await t.database.unscoped.write((trx) => trx.deleteFrom('tokens').execute());
  expect(await unread('stdout', create())).toEqual({ code: 1, said: await sentence() });
});

test('an import goes on when nobody reads what it says of bad lines', async () => {
  const bad = Array.from({ length: 10 }, () => ({ attributes: { email: 'nobody' } }));
  const good = Array.from({ length: 200 }, (_, index) => ({ attributes: { email: `p${index}@example.com` } }));
  const file = await t.file('people.ndjson', ndjson([...bad, ...good]));
  const { code, said } = await unread('stderr', ['import', 'contacts', file, ...workspace(), '--json']);
  expect(JSON.parse(said)).toMatchObject({ added: 200, refused: 10 });
  expect(code).toBe(1);
  expect((await t.rows())['contacts']).toHaveLength(200);
});
