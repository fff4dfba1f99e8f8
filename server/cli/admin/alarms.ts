import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { Rules } from '#contract/notifications.ts';
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { findRulesError } from '../../notifications/planning/rules.ts';
import { replayAlarms, type ReplayedMessage } from '../../notifications/planning/replayAlarms.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError } from '../terminal/terminal.ts';
import { parseLifetime, workspaceCommand } from './arguments.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

type ReplayOptions = { workspace: string; since: number; rules?: string };

export function addAlarmCommands(program: Command, run: RunWithDatabase): void {
  const alarms = program.command('alarms').description('messages about incidents');
  workspaceCommand(alarms, 'replay', 'print which messages rules would have sent; sends nothing')
    .requiredOption('--since <age>', 'from how long ago, such as 90d', parseLifetime)
    .option('--rules <file>', 'rules as JSON, as the API takes them; without, those of all destinations')
    .action((options: ReplayOptions) =>
      run(async (db) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const rules = options.rules === undefined ? null : await readRules(options.rules);
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

async function readRules(file: string): Promise<Rules> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`The rules can't be read: ${error.message}`);
  });
  const rules = parseRules(text);
  const error = findRulesError(rules);
  if (error !== null) throw new CommandError(`The rules aren't as the API takes them: ${error}`);
  return rules;
}

function parseRules(text: string): Rules {
  try {
    return Rules.parse(JSON.parse(text));
  } catch (error) {
    throw new CommandError(`The rules aren't as the API takes them: ${(error as Error).message}`);
  }
}
