import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the lock file in `folder`, unless that was done since the file last changed. No package may run a script.
 * Throws one sentence with npm's reason.
 */
export function installOnce(folder: string): void {
  const changed = statSync(join(folder, 'package-lock.json'));
  const installed = statSync(join(folder, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  if (installed !== undefined && installed.mtimeMs >= changed.mtimeMs) return;
  console.log(`Installing what ${folder} needs ...`);
  const npm = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, encoding: 'utf8' });
  if (npm.status !== 0)
    throw new Error(
      `npm could not install what ${folder} needs (${npm.error?.message ?? npm.stderr.trim().split('\n')[0]}).`,
    );
}
