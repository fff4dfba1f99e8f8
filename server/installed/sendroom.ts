import { VERSION } from '../settings/version.ts';
import { runWithNode, isNodeNewEnough, findBundledNode, NODE_MISSING_MESSAGE } from './bundledNode.ts';

// The command of the installed package, `npx sendroom`. This file runs on any Node from 20.19; the service that it
// starts needs a newer one.

const HELP = `Usage: sendroom [command]

Without a command it is the service with its console: it listens on http://127.0.0.1:4600, keeps its data in
data/sendroom.db below the folder it is started in, and prints a link that signs you in.

Commands:
  admin      looks after workspaces, tokens, import, export, backup
  dns-check  says what the DNS has of the records that sending domains need

Options:
  --help     prints this; each command has its own
  --version  prints the version

Settings are environment variables, such as HOST, PORT, DATABASE_URL, PUBLIC_URL and DEMO=off; README.md has all.`;

const commands: Record<string, () => Promise<unknown>> = {
  admin: () => import('../cli.ts'),
  'dns-check': () => import('../cliDnsCheck.ts'),
};

const [, , name, ...rest] = process.argv;
const command = name === undefined ? () => import('../main.ts') : commands[name];

if (name === '--version') console.log(VERSION);
else if (name === '--help' || name === 'help') console.log(HELP);
else if (command === undefined) {
  console.error('There is no such command. Add --help to see what can be said.');
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
