import { expect, test } from 'vitest';
import { programFile } from '../../../testing/processes/programFile.ts';
import { createTestStorage } from '../../../testing/testDatabase.ts';
import { runProgram } from '../../../testing/processes/testProcess.ts';

test('migrate makes the schema once, and says that there is no workspace', async () => {
  await using t = await createTestStorage();
  const env = { DATABASE_URL: t.url, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
  for (let time = 0; time < 2; time++) {
    const migrated = await runProgram([process.execPath, programFile('admin'), 'migrate'], {
      stdin: '',
      cwd: t.folder,
      env,
    });
    expect(migrated).toMatchObject({ code: 0, out: 'The schema is up to date. No workspaces yet.\n', err: '' });
  }
});
