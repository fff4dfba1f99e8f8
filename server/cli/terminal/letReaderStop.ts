import { toCommandError } from './files.ts';

/**
 * Call it before the first output. A reader such as `head` may stop reading: that's no error, and the work continues. If standard
 * output fails in another way, the process prints why and exits with `exitCode`.
 */
export function letReaderStop(exitCode: number): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`${(toCommandError(error, 'standard output', 'write') as Error).message}\n`);
    process.exit(exitCode);
  });
  // There's no other place to print why.
  process.stderr.on('error', () => {});
}
