import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// The installed package runs on the Node that is installed with it, whatever Node the machine has.

/** The major version whose language and SQLite the service is written for. */
const NEEDED = 26;

export const NODE_MISSING_MESSAGE = `Sendroom needs Node ${NEEDED} or newer, and this is ${process.versions.node}. It brings one along for Linux (x64, arm64), macOS and Windows (x64), unless npm was told to leave out optional dependencies.`;

/** Whether the Node of this process can run the service. */
export function isNodeNewEnough(): boolean {
  return Number.parseInt(process.versions.node, 10) >= NEEDED;
}

/** The Node that npm installed with this package for this kind of machine; null where it did not. */
export function findBundledNode(): string | null {
  const { resolve } = createRequire(import.meta.url);
  const [system, program] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node'];
  for (const name of [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`]) {
    try {
      return join(dirname(resolve(`${name}/package.json`)), 'bin', program);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return null;
}

/** Runs this command with another Node, and exits like it. */
export function runWithNode(node: string): void {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event === 'npx') {
    // The shell between npm and this process does not forward signals.
    const shell = process.ppid;
    setInterval(() => process.ppid !== shell && child.kill(), 500).unref();
  }
  child.on('error', () => {
    console.error(NODE_MISSING_MESSAGE);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128);
  });
}
