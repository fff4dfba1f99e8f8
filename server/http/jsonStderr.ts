import { inspect } from 'node:util';

/** Node writes its warnings and what ends the process as text: from here on, both are lines of the log. */
export function installJsonStderr(): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => writeLogLine('warn', { warning: name }, message));
  // A promise that nobody watched ends here, too.
  process.on('uncaughtException', (error) => exitWithError(error));
}

/**
 * Ends the process: whatever went wrong, the data is safe on the disk, and a fresh process is safer than this one. `sentence`
 * is for whom it may concern, where there is one, and the log has it; else the log has the error.
 */
export function exitWithError(error: unknown, sentence: string | null = null): never {
  if (sentence === null) writeLogLine('fatal', { err: { stack: inspect(error) } }, 'uncaught error');
  // On a terminal both are read by the same person.
  else if (!process.stderr.isTTY) writeLogLine('fatal', {}, sentence);
  process.stdout.write(`${sentence ?? 'Sendroom stopped at an error of its own; its log says which.'}\n`);
  process.exit(1);
}

/** Without the log of the service, which there may not be yet, or no longer. */
function writeLogLine(level: 'warn' | 'fatal', fields: object, msg: string): void {
  if (process.env['LOG_LEVEL'] === 'silent') return;
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg })}\n`);
}
