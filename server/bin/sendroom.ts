import { VERSION } from '../settings/program.ts';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// The command of the installed package, `npx sendroom`. This file runs on any Node from 20.19; the service that it
// starts needs a newer one, which is installed with it.

/** The major version whose language and SQLite the service is written for. */
const NEEDED = 26;

const NODE_MISSING_MESSAGE = `Sendroom needs Node ${NEEDED} or newer; this is ${process.versions.node}. npm installs one with it on Linux (x64, arm64), macOS and Windows (x64), unless optional dependencies are omitted.`;

/** Whether the Node of this process can run the service. */
function isNodeNewEnough(): boolean {
  return Number.parseInt(process.versions.node, 10) >= NEEDED;
}

/** The Node that npm installed with this package for this kind of machine; null where it did not. */
function findBundledNode(): string | null {
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
function runWithNode(node: string): void {
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

const HELP = `Usage: sendroom [command]

Without a command it starts the service and its console on http://127.0.0.1:4600, with its data in
data/sendroom.db of the current folder, and prints a sign-in link.

Commands:
  admin      manages workspaces, tokens, imports, exports and backups
  dns-check  checks the DNS records of sending domains
  docs       prints where the manual is; docs NAME prints a page, such as docs operations
  openapi    prints the OpenAPI document
  unit       prints a systemd unit
  alerts     prints Prometheus alerts; alerts dashboard prints a Grafana dashboard

Options:
  --help     prints this help; each command has its own
  --version  prints the version

Settings are environment variables, such as HOST, PORT, DATABASE_URL, PUBLIC_URL and DEMO=off; docs/operations.md has all.`;

const commands = new Map<string, () => Promise<unknown>>([
  ['admin', () => import('../admin.ts')],
  ['dns-check', () => import('../dnsCheck.ts')],
  ['docs', () => import('./manual.ts').then(({ printDocs }) => printDocs(rest))],
  ['openapi', () => import('./manual.ts').then(({ printOpenApi }) => printOpenApi())],
  ['unit', () => import('./manual.ts').then(({ printFile }) => printFile('deploy/sendroom.service'))],
  ['alerts', () => import('./manual.ts').then(({ printAlerts }) => printAlerts(rest))],
]);

const [, , name, ...rest] = process.argv;
/** Print what is in the package, and have no options. */
const PRINTING: readonly (string | undefined)[] = ['docs', 'openapi', 'unit', 'alerts'];
const isHelp = name === '--help' || name === 'help' || (PRINTING.includes(name) && rest.includes('--help'));
const command = name === undefined ? () => import('../main.ts') : commands.get(name);

if (name === '--version') console.log(VERSION);
else if (isHelp) console.log(HELP);
else if (command === undefined) {
  console.error('Unknown command. Run with --help to list commands.');
  process.exitCode = 2;
} else if (isNodeNewEnough()) {
  process.argv.splice(2, Infinity, ...rest);
  await command();
} else {
  const node = findBundledNode();
  if (node !== null) runWithNode(node);
  else {
    console.error(NODE_MISSING_MESSAGE);
    process.exitCode = 1;
  }
}
