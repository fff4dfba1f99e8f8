import { toCommandError } from './files.ts';

/**
 * To be called before the first output: whoever reads it may have read enough, as `head` has. That is no error, and the work goes on.
 * Where standard output cannot be written otherwise, the process ends with a sentence and `exitCode`.
 */
export function letReaderStop(exitCode: number): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`${(toCommandError(error, 'standard output', 'write') as Error).message}\n`);
    process.exit(exitCode);
  });
  // There is no other place to say why. The result and the exit code tell what was done.
  process.stderr.on('error', () => {});
}
