import { toCommandError } from './files.ts';

/** To be called before the first output: a reader such as `head` may have read enough, which is no error. */
export function letReaderStop(exitCode: number): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`${(toCommandError(error, 'standard output', 'write') as Error).message}\n`);
    process.exit(exitCode);
  });
  // There's no other place to print why.
  process.stderr.on('error', () => {});
}
