import { type ChildProcessByStdio, spawn, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type TestProcess = {
  /** Resolves with the next line that the process prints, and with null after the last. */
  line: () => Promise<string | null>;
  /** Kills it like a power cut, and waits until it has ended. */
  kill: () => Promise<void>;
};

/** Runs `code`, a module that imports as if it were in `folder`, in a process of its own. */
export function startProcess(folder: string, code: string): TestProcess {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  // Listens at once, because output before the exit is lost without a listener.
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

/**
 * Runs a program to its end, with `stdin` as its input. A function gives that once the program asks for it, in a line that ends with a colon.
 * An abort of `signal` kills it.
 */
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
  // A program that does not read its input closes it early.
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
