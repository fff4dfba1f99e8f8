import { inspect } from 'node:util';

export function installJsonStderr(): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => writeLogLine('warn', { warning: name }, message));
  // Also for unhandled rejections.
  process.on('uncaughtException', (error) => exitWithError(error));
}

/** The data is safe on the disk, and a new process is safer than this one. `sentence` is for an operator. */
export function exitWithError(error: unknown, sentence: string | null = null): never {
  if (sentence === null) writeLogLine('fatal', { err: { stack: inspect(error) } }, 'uncaught error');
  else if (!process.stderr.isTTY) writeLogLine('fatal', {}, sentence);
  process.stdout.write(`${sentence ?? 'Sendroom stopped because of an internal error. See its log.'}\n`);
  process.exit(1);
}

/** Writes to stderr directly, because the log of the service may not exist yet, or no longer. */
export function writeLogLine(level: 'info' | 'warn' | 'fatal', fields: object, msg: string): void {
  if (process.env['LOG_LEVEL'] === 'silent') return;
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg })}\n`);
}
