import { afterEach, beforeEach, expect, test } from 'vitest';
import { createToken, findPrincipal, revokeToken, setSuspended } from '../workspaces/store.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { startProcess } from '../testing/testProcess.ts';
import { cacheWhileUnchanged } from './cacheWhileUnchanged.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const newToken = () => createToken(t.workspace, t.db, 'ci', NOW);

test('what this process or another one commits is seen by the very next call', async () => {
  const find = cacheWhileUnchanged(t.db, (token) => findPrincipal(t.db, token));
  const [mine, theirs] = [await newToken(), await newToken()];
  for (const { token, uuid } of [mine, theirs]) {
    expect(await find(token)).toMatchObject({ token: { uuid } });
    expect(await find(token)).toEqual(await findPrincipal(t.db, token));
  }
  await revokeToken(t.workspace, t.db, mine.uuid, NOW);
  expect(await find(mine.token)).toBeNull();
  expect(await find(theirs.token)).not.toBeNull();

  const other = startProcess(
    import.meta.dirname,
    `
    import { openDatabase } from './openDatabase.ts';
    import { revokeToken } from '../workspaces/store.ts';
    const db = await openDatabase(${JSON.stringify(t.url)});
    await revokeToken(${JSON.stringify(t.workspace)}, db, ${JSON.stringify(theirs.uuid)}, ${NOW});
    console.log('revoked');`,
  );
  expect(await other.line()).toBe('revoked');
  expect(await find(theirs.token)).toBeNull();
  await other.kill();
});

test('what was read before a commit is not kept after it', async () => {
  const { token } = await newToken();
  const [hasRead, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const find = cacheWhileUnchanged(t.db, async (key) => {
    const access = await findPrincipal(t.db, key);
    hasRead.resolve();
    if (access?.workspace.suspended === false) await goOn.promise;
    return access;
  });
  const early = find(token);
  await hasRead.promise;
  await setSuspended(t.workspace, t.db, true);
  expect((await find(token))?.workspace.suspended).toBe(true);
  goOn.resolve();
  expect((await early)?.workspace.suspended).toBe(false);
  expect((await find(token))?.workspace.suspended).toBe(true);
});
