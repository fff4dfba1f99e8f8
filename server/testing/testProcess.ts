import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type TestProcess = {
  /** Resolves with the next line that the process prints, and with null when it has printed its last. */
  line: () => Promise<string | null>;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill: () => Promise<void>;
};

/** Runs `code`, a module that imports as if it lay in `folder`, in a process of its own. */
export function startProcess(folder: string, code: string): TestProcess {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  // Listens at once: what a process printed before it ended is lost when nobody has listened by then.
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
