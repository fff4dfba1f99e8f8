import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');

export async function runAdmin(databaseUrl: string, ...command: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  const { stdout } = await promisify(execFile)(process.execPath, ['server/admin.ts', ...command], {
    cwd: ROOT,
    env,
  });
  return stdout;
}

export async function createToken(
  databaseUrl: string,
  workspace: string,
  role: string,
  name = `Tests as ${role}`,
): Promise<string> {
  const options = ['--workspace', workspace, '--name', name, '--role', role];
  return /\bsr_\w+/.exec(await runAdmin(databaseUrl, 'token', 'create', ...options))?.[0] ?? '';
}
