import { type ChildProcessByStdio, spawn } from 'node:child_process';
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
