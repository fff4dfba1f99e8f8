import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations } from '../database/migrations/migrations.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { programFile } from '../testing/programFile.ts';
import { createTestStorage, type TestStorage } from '../testing/testDatabase.ts';
import { runProgram } from '../testing/testProcess.ts';

// How the commands treat a database that an older version wrote: here one without the last step of the schema.

let t: TestStorage;
beforeEach(async () => {
  t = await createTestStorage();
  await (await openDatabase(t.url, { steps: migrations.slice(0, -1) })).close();
});
afterEach(() => t[Symbol.asyncDispose]());

const NEWEST = migrations.length;

function admin(...args: string[]) {
  const env = { DATABASE_URL: t.url, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
  return runProgram([process.execPath, programFile('cli'), ...args], { stdin: '', cwd: t.folder, env });
}

test('a command that reads refuses an older schema; migrate tells its steps, and is done then', async () => {
  const refused = await admin('workspace', 'list');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(
    `An older version of Sendroom wrote this database (schema ${NEWEST - 1}, this version needs ${NEWEST})`,
  );
  expect(refused.err).toMatch('`admin migrate`');
  const again = await admin('workspace', 'list');
  expect(again.code).toBe(1);

  const migrated = await admin('migrate');
  expect(migrated).toMatchObject({ code: 0, err: '' });
  const step = String.raw`^The schema is at ${NEWEST} of ${NEWEST}: this step took [\d,]+ ms\.\nThe schema is up to date\. There is no workspace yet\.\n$`;
  expect(migrated.out).toMatch(new RegExp(step));
  expect(await admin('workspace', 'list')).toMatchObject({ code: 0, out: 'There is no workspace yet.\n' });
  expect(await admin('migrate')).toMatchObject({
    code: 0,
    out: 'The schema is up to date. There is no workspace yet.\n',
  });
});
