import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obtainProgram, type Program } from '../programs/debianPackages.ts';

let program: Program | null = null;

/** Runs statements and commands of its shell on a file. */
export function sqlite3(file: string, ...commands: readonly string[]): void {
  program ??= obtain();
  const { error, status, stderr } = spawnSync(program.path, ['-bail', file, ...commands], {
    encoding: 'utf8',
    env: program.env,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`sqlite3 failed: ${stderr}`);
}

function obtain(): Program {
  const folder = mkdtempSync(join(tmpdir(), 'sendroom-sqlite3-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return obtainProgram(folder, 'sqlite3');
}
