import type { Command } from 'commander';
import type { Rules } from '#contract/notifications.ts';
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { readRules } from '../../notifications/planning/rules.ts';
import { replayAlarms, type ReplayedMessage } from '../../notifications/planning/replayAlarms.ts';
import { nameOfInput } from '../terminal/files.ts';
import { toPrintable } from '../terminal/printable.ts';
import { readText } from '../terminal/readText.ts';
import { CommandError } from '../terminal/terminal.ts';
import { parseLifetime, workspaceCommand } from './arguments.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

type ReplayOptions = { workspace: string; since: number; rules?: string };

export function addAlarmCommands(program: Command, run: RunWithDatabase): void {
  const alarms = program.command('alarms').description('messages about incidents');
  workspaceCommand(alarms, 'replay', 'print which messages rules would have sent; sends nothing')
    .requiredOption('--since <age>', 'from how long ago, such as 90d', parseLifetime)
    .option(
      '--rules <file>',
      'rules as JSON, as the API takes them; - is standard input; without, those of all destinations',
    )
    .action((options: ReplayOptions) =>
      run(async (db) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const rules = options.rules === undefined ? null : await readRulesFile(options.rules);
        const messages = await replay(workspace, db, Date.now() - options.since, rules);
        const lines = messages.map(
          ({ at, to, title }) => `${timestamp(at)}  ${toPrintable(to)}  ${toPrintable(title)}`,
        );
        const value = messages.map(({ at, ...message }) => ({ at: timestamp(at), ...message }));
        return { value, text: lines.join('\n') || 'No messages.' };
      }),
    );
}

function replay(workspace: Workspace, db: Database, since: number, rules: Rules | null): Promise<ReplayedMessage[]> {
  return db.read(workspace, (scope) => replayAlarms(scope, since, rules), { isLong: true });
}

async function readRulesFile(file: string): Promise<Rules> {
  const text = await readText(file);
  const name = nameOfInput(file);
  const read = readRules(parseRulesText(text, name));
  if ('error' in read)
    throw new CommandError(`${name} has no rules as the API takes them. ${toPrintable(read.error, 300)}`);
  return read.rules;
}

function parseRulesText(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${name} isn't JSON: ${toPrintable((error as Error).message, 200)}.`);
  }
}
