import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const shell = (command: string) => promisify(execFile)('sh', ['-c', command]);

test.each(['openapi', 'sbom'])('reading only the beginning of %s causes no error', async (what) => {
  const { stdout, stderr } = await shell(`"${process.execPath}" .ci/print.ts ${what} | head -c 200`);
  expect(stdout).toHaveLength(200);
  expect(stderr).toBe('');
});
