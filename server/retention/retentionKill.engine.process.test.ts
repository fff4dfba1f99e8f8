import { expect, test } from 'vitest';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { SERVICE } from '../database/changeLog/author.ts';
import { readRetention } from '../database/changeLog/checkpoint.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { startProcess } from '../testing/processes/testProcess.ts';
import { NOW, openTestDatabase } from '../testing/testDatabase.ts';
import { deleteOldDataOnce } from './retentionJob.ts';
import { DAY, setRetention } from './settings.ts';

const LINES = 5_000;

test('a process that is killed in the middle of a run leaves data that verifies, and the next service finishes it', async () => {
  await using t = await openTestDatabase({ isDurable: true });
  const { workspace, db } = t;
  const entry = { action: 'export', author: SERVICE, details: { operation: 'x' } } as const;
  const entries = Array.from({ length: LINES }, () => entry);
  await db.write(workspace, (scope) => writeLog(scope, entries, NOW - 500 * DAY));
  await setRetention(workspace, db, { log_days: 365 }, { now: NOW - 10 * DAY, author: SERVICE });
  const killed = startProcess(
    import.meta.dirname,
    `
    import { SERVICE } from '../database/changeLog/author.ts';
    import { openDatabase } from '../database/openDatabase.ts';
    import { findWorkspace } from '../workspaces/store.ts';
    import { runRetention } from './run.ts';
    const db = await openDatabase(${JSON.stringify(t.url)});
    const workspace = await findWorkspace(db, ${JSON.stringify(workspace.uuid)});
    const onDeleted = ({ deleted_lines }) => {
      console.log(deleted_lines);
      if (deleted_lines === 2000) process.kill(process.pid, 'SIGKILL');
    };
    await runRetention(workspace, db, { now: () => ${NOW}, author: SERVICE, onDeleted });`,
  );
  expect([await killed.line(), await killed.line(), await killed.line()]).toEqual(['1000', '2000', null]);
  expect(await db.read(workspace, readRetention)).toMatchObject({ number: 2000, deleted_lines: 2000 });
  expect(await verifyWorkspace(workspace, db)).toEqual([]);
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => expect(fields).toBeNull() };
  await deleteOldDataOnce({ database: db, now: () => NOW, log }, new AbortController().signal);
  expect(await db.read(workspace, readRetention)).toMatchObject({
    number: LINES,
    deleted_lines: LINES,
    run_line: null,
  });
  expect(await verifyWorkspace(workspace, db)).toEqual([]);
});
