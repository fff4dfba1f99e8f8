import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { obtainProgram } from '../../.ci/programs/debianPackages.ts';

const ATTACH_LIMIT_MS = 30_000;

/** The faults to inject into running processes. */
export type InjectedError = {
  /** With their children. */
  pid: number;
  /** System calls, such as `fsync,fdatasync`. */
  calls: string;
  /** The name of the error, such as `EIO`. */
  error: string;
  /** Only on these files; without them, on all. */
  files?: readonly string[];
};

/**
 * Makes system calls fail until the returned function is called. Needs root. A missing program is unpacked into
 * `folder`.
 */
export async function injectErrors(
  folder: string,
  { pid, calls, error, files = [] }: InjectedError,
): Promise<() => Promise<void>> {
  const strace = obtainProgram(folder, 'strace');
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  const pids = [String(pid), ...stdout.split('\n').filter(Boolean)];
  const parameters = [
    ['-f', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`],
    ...files.map((file) => ['-P', file]),
    ...pids.map((each) => ['-p', each]),
  ];
  const tracer = spawn(strace.path, parameters.flat(), { env: strace.env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(tracer, 'close');
  let said = '';
  const { promise: attached, resolve, reject } = Promise.withResolvers<void>();
  tracer.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.split(' attached').length > pids.length) resolve();
  });
  const timer = setTimeout(() => reject(new Error(`strace did not attach: ${said}`)), ATTACH_LIMIT_MS);
  await attached.finally(() => clearTimeout(timer));
  return async () => {
    tracer.kill('SIGINT');
    await ended;
  };
}
