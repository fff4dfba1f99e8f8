import { spawnSync } from 'node:child_process';
import { MissingProgramError } from './missingProgram.ts';

/** Runs statements and commands of its shell on a file. */
export function sqlite3(file: string, ...commands: readonly string[]): void {
  const { error, status, stderr } = spawnSync('sqlite3', ['-bail', file, ...commands], { encoding: 'utf8' });
  if (error) throw new MissingProgramError('sqlite3 was not found: install it, and run this again.', { cause: error });
  if (status !== 0) throw new Error(`sqlite3 failed: ${stderr}`);
}
