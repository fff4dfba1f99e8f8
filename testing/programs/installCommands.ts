import { spawnSync } from 'node:child_process';

const INSTALL_MINUTES = 5;

export type InstallCommand = readonly [file: string, ...args: string[]];

/** Runs commands that install something. Returns the output of the first that fails, or null when all succeed. */
export function runInstallCommands(commands: readonly InstallCommand[]): string | null {
  for (const [file, ...args] of commands) {
    const { status, stderr, error } = spawnSync(file, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: INSTALL_MINUTES * 60_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) return error?.message ?? stderr.trim().split('\n')[0] ?? `${file} ended with ${status}`;
  }
  return null;
}
