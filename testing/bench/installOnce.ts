import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Installs the lock file in `folder`, unless that was done since the file last changed. */
export async function installOnce(folder: string): Promise<void> {
  const changed = await stat(join(folder, 'package-lock.json'));
  const installed = await stat(join(folder, 'node_modules/.package-lock.json')).catch(() => null);
  if (installed !== null && installed.mtimeMs >= changed.mtimeMs) return;
  console.log(`Installing what ${folder} needs ...`);
  await promisify(execFile)('npm', ['ci'], { cwd: folder });
}
