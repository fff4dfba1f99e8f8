import { type ChildProcessByStdio, spawn, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type TestProcess = {
  line: () => Promise<string | null>;
  /** Like a power cut. */
  kill: () => Promise<void>;
};

/** Imports resolve as in `folder`. */
export function startProcess(folder: string, code: string): TestProcess {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  // Output before the exit is lost without a listener.
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async line() {
      const { value, done } = await lines.next();
      return done === true ? null : value;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

export type ProgramOutput = { code: number | null; out: string; err: string };

/** A function provides `stdin` once the program asks with a line that ends in a colon. */
export function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  {
    stdin,
    ...options
  }: Pick<SpawnOptionsWithoutStdio, 'cwd' | 'env' | 'signal'> & { stdin: string | (() => Promise<string>) },
): Promise<ProgramOutput> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramOutput>();
  const child = spawn(program, args, { ...options, killSignal: 'SIGKILL' });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => {});
  if (typeof stdin === 'string') child.stdin.end(stdin);
  else {
    child.stderr.on('data', () => {
      if (err.endsWith(':\n')) stdin().then((text) => child.stdin.end(text), reject);
    });
  }
  child.on('error', (error) => (options.signal?.aborted ? undefined : reject(error)));
  child.on('close', (code) => resolve({ code, out, err }));
  return promise;
}
