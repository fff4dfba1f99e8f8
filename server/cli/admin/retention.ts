import { type Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '../../database/changeLog/author.ts';
import { readRetention, type RetentionRow } from '../../database/changeLog/checkpoint.ts';
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { previewRetention, type RetentionPreview } from '../../retention/preview.ts';
import { runRetention } from '../../retention/run.ts';
import { DAYS_MAX, EVENT_DAYS_MIN, LOG_DAYS_MIN, type RetentionDays, setRetention } from '../../retention/settings.ts';
import { CommandError } from '../terminal/terminal.ts';
import { workspaceCommand } from './arguments.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

type WorkspaceOption = { workspace: string };
type DaysOptions = WorkspaceOption & { events?: number; log?: number };

const DAYS_OF_UNIT = { d: 1, y: 366 };

/** Days; 0 for `keep`, because commander takes null for a missing value. A year is 366, so that nothing is deleted too early. */
const parseDays =
  (min: number) =>
  (text: string): number => {
    if (text === 'keep') return 0;
    const [, count, unit = ''] = /^(\d+)([dy])$/.exec(text) ?? [];
    const days = Number(count) * DAYS_OF_UNIT[unit as keyof typeof DAYS_OF_UNIT];
    if (days >= min && days <= DAYS_MAX) return days;
    throw new InvalidArgumentError(`It must be days or years, such as 730d or 7y, from ${min}d to 99y, or keep.`);
  };

export function addRetentionCommands(program: Command, run: RunWithDatabase): void {
  const retention = program.command('retention').description('delete old events and log entries');
  const withDays = (name: string, description: string) =>
    workspaceCommand(retention, name, description)
      .option(
        '--events <age>',
        'delete events after this time, such as 730d; keep keeps them',
        parseDays(EVENT_DAYS_MIN),
      )
      .option(
        '--log <age>',
        'delete log entries after this time, such as 7y; keep keeps them',
        parseDays(LOG_DAYS_MIN),
      );

  workspaceCommand(retention, 'show', 'print what is deleted, and when').action(({ workspace }: WorkspaceOption) =>
    run(async (db) => toResult(await db.read(await requireWorkspace(db, workspace), readRetention))),
  );

  withDays('preview', 'count what a run would delete, with the set times or others').action((options: DaysOptions) =>
    run(async (db) => {
      const workspace = await requireWorkspace(db, options.workspace);
      const preview = await previewRetention(workspace, db, daysIn(options), Date.now());
      return { value: toJson(preview), text: describePreview(preview) };
    }),
  );

  withDays('set', 'set after what time events and log entries are deleted').action((options: DaysOptions) =>
    run((db) => set(db, options)),
  );

  workspaceCommand(retention, 'run', 'delete now what is old').action(({ workspace }: WorkspaceOption) =>
    run(async (db, terminal) => {
      const onDeleted = ({ deleted_events, deleted_lines }: RetentionRow) =>
        terminal.progress(null, `deleted events: ${shown(deleted_events)}, log entries: ${shown(deleted_lines)}`);
      return toRunResult(await runNow(await requireWorkspace(db, workspace), db, onDeleted));
    }),
  );
}

const daysIn = ({ events, log }: DaysOptions): Partial<RetentionDays> => ({
  ...(events !== undefined && { event_days: events || null }),
  ...(log !== undefined && { log_days: log || null }),
});

async function set(db: Database, options: DaysOptions): Promise<CommandResult> {
  const workspace = await requireWorkspace(db, options.workspace);
  const days = daysIn(options);
  if (Object.keys(days).length === 0) throw new CommandError('Set --events, --log or both. keep keeps everything.');
  const now = Date.now();
  const preview = await previewRetention(workspace, db, days, now);
  const { value, text } = toResult(await setRetention(workspace, db, days, { now, author: COMMAND }));
  return { value: { ...value, preview: toJson(preview) }, text: `${text}\n${describePreview(preview)}` };
}

const runNow = (workspace: Workspace, db: Database, onDeleted: (row: RetentionRow) => void) =>
  runRetention(workspace, db, { now: Date.now, author: COMMAND, onDeleted });

function toRunResult(row: RetentionRow | null): CommandResult {
  const { deleted_events: events, deleted_lines: entries } = row ?? { deleted_events: 0, deleted_lines: 0 };
  const text =
    row === null ? 'There was nothing to delete.' : `Deleted events: ${shown(events)}, log entries: ${shown(entries)}.`;
  return { value: { events, entries }, text };
}

const shown = (count: number) => count.toLocaleString('en');
const daysText = (days: number | null) => (days === null ? 'kept' : `deleted after ${shown(days)} days`);
const timeOrNull = (time: number | null) => (time === null ? null : timestamp(time));
const dayOf = (time: number) => timestamp(time).slice(0, '2026-01-31'.length);

function toJson({ limits, events, lines, kept }: RetentionPreview) {
  return { events_before: timeOrNull(limits.events), events, log_before: timeOrNull(limits.log), entries: lines, kept };
}

function describePreview({ limits, events, lines, kept }: RetentionPreview): string {
  const parts = [
    ...(limits.events === null ? [] : [`events from before ${dayOf(limits.events)}: ${shown(events)}`]),
    ...(limits.log === null ? [] : [`log entries from before ${dayOf(limits.log)}: ${shown(lines)}`]),
  ];
  if (parts.length === 0) return 'Nothing is deleted because of its age.';
  const needed = kept === 0 ? '' : ` Older entries that are still needed and stay: ${shown(kept)}.`;
  return `A run now would delete ${parts.join(', ')}.${needed}`;
}

function toResult(row: RetentionRow) {
  const { event_days, log_days, next_at, run_line } = row;
  const next =
    run_line !== null ? ['A run is under way.'] : next_at === null ? [] : [`Next run: ${timestamp(next_at)}.`];
  return {
    value: { event_days, log_days, next_at: timeOrNull(next_at) },
    text: [`Events are ${daysText(event_days)}, log entries are ${daysText(log_days)}.`, ...next].join(' '),
  };
}
