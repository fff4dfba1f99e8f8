import { expect, test } from 'vitest';
import { DatabaseBusyError } from '../database/databaseErrors.ts';
import { openDatabase } from '../database/openDatabase.ts';
import type { Workspace } from '../database/workspace.ts';
import { NOW, openTestDatabase, withSettings } from '../testing/testDatabase.ts';
import { ErasureJob } from './erasureJob.ts';

test('a workspace that is being written to for long delays no other', async () => {
  await using t = await openTestDatabase();
  const waits = await openDatabase(withSettings(t.url, 'lock_timeout=200'));
  for (const workspace of [t.workspace, t.otherWorkspace]) {
    await t.db.write(workspace, (scope) =>
      scope
        .insert('erasures', { contact_id: 1, contact_uuid: `${workspace.id}`, identity_count: 0, erased_at: NOW })
        .execute(),
    );
  }
  const finishedAt = async (workspace: Workspace) => {
    const { finished_at } = await t.db.read(
      workspace,
      (scope) => scope.select('erasures').select('finished_at').executeTakeFirstOrThrow(),
      { isSingle: true },
    );
    return finished_at;
  };
  const errors: object[] = [];
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => void errors.push(fields) };
  const job = new ErasureJob(waits, () => NOW, log);
  const stop = new AbortController();
  const running = await t.db.write(
    t.workspace,
    async () => {
      const run = job.run(stop.signal);
      await expect.poll(() => finishedAt(t.otherWorkspace)).toBe(NOW);
      return { ended: run };
    },
    { isBulk: true },
  );
  expect(errors).toMatchObject([{ err: expect.any(DatabaseBusyError) as Error, workspace: t.workspace.uuid }]);
  job.wake();
  await expect.poll(() => finishedAt(t.workspace)).toBe(NOW);
  stop.abort();
  await running.ended;
  await waits.close();
});
