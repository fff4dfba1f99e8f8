import { type Provider, PROVIDERS } from '#contract/importFiles/fileKind.ts';
import { Argument, type Command, Option } from 'commander';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { FILE_NAME_MAX } from '#contract/imports.ts';
import { COMMAND, type LogAuthor } from '../../../database/changeLog/author.ts';
import { readAttributeNames } from '../../../contacts/attributeNames.ts';
import { recordImport } from '../../../contacts/runs/imports.ts';
import { readNextContactId } from '../../../contacts/store.ts';
import type { Database } from '../../../database/database.ts';
import type { Scope } from '../../../database/scope.ts';
import { writeLog } from '../../../database/changeLog/writeLog.ts';
import { workspaceCommand } from '../arguments.ts';
import { STANDARD_STREAM } from '../../terminal/files.ts';
import { toPrintable } from '../../terminal/printable.ts';
import { startRowProgress } from '../../terminal/rowProgress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import {
  emptyReport,
  hasWritten,
  REPORTED_LINES_MAX,
  type ImportJob,
  importRows,
  type ImportReport,
} from '../lines/importRows.ts';
import { LineThread } from '../lines/lineBatches.ts';
import { type Resource, RESOURCES } from '../lines/lineKinds.ts';
import { type Format, FORMATS } from '../lines/readRows.ts';
import { resourceTransfers } from '../lines/resources.ts';
import type { CommandResult, RunWithDatabase } from '../runCommand.ts';
import { requireWorkspace } from '../workspace.ts';

/** Written lines from which on the plans of the engine may change; looking at its tables takes a second or two at most. */
const ANALYZED_MIN = 1_000;

type Options = {
  workspace: string;
  format?: Format;
  strict?: boolean;
  dryRun?: boolean;
  from?: Provider;
  kind?: string;
};

export function addImportCommand(program: Command, run: RunWithDatabase): void {
  workspaceCommand(program, 'import', 'import a file; existing data stays, and nobody is resubscribed')
    .addArgument(new Argument('<resource>', 'what the lines are').choices(RESOURCES))
    .argument('<file>', `NDJSON or CSV in UTF-8; ${STANDARD_STREAM} is standard input`)
    .option('--strict', 'import all lines, or none if one is bad')
    .option('--dry-run', 'only say what an import would do')
    .addOption(
      new Option('--from <provider>', 'an export of contacts or suppressions of a provider').choices(PROVIDERS),
    )
    .option('--kind <kind>', "which export it is, if its columns don't say")
    .addOption(new Option('--format <format>', "if the file name doesn't say").choices(FORMATS))
    .action((resource: Resource, file: string, options: Options, command: Command) => {
      if (options.from !== undefined && resource !== 'contacts') command.error('error: --from is for contacts');
      if (options.kind !== undefined && options.from === undefined) command.error('error: --kind needs --from');
      const format = options.format ?? formatOf(file) ?? command.error('error: add --format ndjson or --format csv');
      return run((database, terminal) => importFile(database, terminal, { resource, file, format, options }));
    });
}

type ImportedFile = { resource: Resource; file: string; format: Format; options: Options };

async function importFile(
  database: Database,
  terminal: Terminal,
  { resource, file, format, options }: ImportedFile,
): Promise<CommandResult> {
  const { strict = false, dryRun: isDryRun = false, from, kind } = options;
  const workspace = await requireWorkspace(database, options.workspace);
  const addedFrom = await database.read(workspace, readNextContactId);
  const author = { ...COMMAND, run: randomUUID(), addedFrom };
  const attributes = resource === 'contacts' ? await database.read(workspace, readAttributeNames) : [];
  const context = { identity_field: workspace.identity_field, attributes };
  const exported = from === undefined ? undefined : { provider: from, kind };
  await using lines = new LineThread({ file, format, resource, context, exported }, (sentence) =>
    terminal.say(sentence),
  );
  let rowsIn = 0;
  let isLogged = true;
  const showProgress = startRowProgress(terminal, 'lines');
  const now = Date.now();
  const job: ImportJob = {
    database,
    workspace,
    report: emptyReport(),
    lines,
    put: (scope, checked) => resourceTransfers[resource].put(scope, checked, now, author),
    arrange: resourceTransfers[resource].arrange,
    log: (scope) => logImport(scope, job.report, resource, { author, file: nameOf(file), source: from ?? 'contacts' }),
    strict,
    isDryRun,
    onBadLine: ({ number, fault }) => terminal.say(`Line ${number}: ${fault}`),
    onUnlogged({ message }) {
      isLogged = false;
      terminal.say(`This import may be missing from the log: ${message}`);
    },
    onProgress(rows, share) {
      rowsIn = rows;
      showProgress(rows, share);
    },
  };
  try {
    await importRows(job);
  } catch (error) {
    if (!strict && !isDryRun && rowsIn > 0) {
      terminal.say(`${rowsIn} lines were imported before it failed. Import the file again to add the rest.`);
    }
    throw error;
  }
  const isWritten = !isDryRun && hasWritten(job.report);
  if (isWritten && job.report.added + job.report.changed >= ANALYZED_MIN) {
    const warning = await database.analyze();
    if (warning !== null) terminal.say(toPrintable(warning, 500));
  }
  return toCommandResult(job, resource, { isLogged, run: isWritten ? author.run : null });
}

type Import = { author: LogAuthor & { run: string }; file: string | null; source: string };

async function logImport(scope: Scope, report: ImportReport, resource: Resource, by: Import): Promise<void> {
  const { added, added_unsubscribed, changed, unchanged, refused } = report;
  const details = { resource, added, changed, unchanged, refused };
  const now = Date.now();
  await writeLog(scope, [{ action: 'import_run', author: by.author, details }], now);
  if (resource === 'contacts') {
    const counts = { added, added_unsubscribed, changed, unchanged, refused };
    await recordImport(scope, counts, by, now);
  }
}

/** Null for standard input. */
const nameOf = (file: string): string | null =>
  file === STANDARD_STREAM ? null : basename(file).slice(0, FILE_NAME_MAX).toWellFormed();

function formatOf(file: string): Format | null {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.(ndjson|jsonl|json)$/i.test(file) ? 'ndjson' : null;
}

function toCommandResult(
  { report, strict, isDryRun }: ImportJob,
  resource: Resource,
  { isLogged, run }: { isLogged: boolean; run: string | null },
): CommandResult {
  const { added, added_unsubscribed: out, changed, unchanged, refused } = report;
  const unreported = refused - REPORTED_LINES_MAX;
  const more = unreported > 0 ? `${count(unreported)} more bad lines aren't shown.\n` : '';
  const counts = `${count(added)} added, ${out > 0 ? `${count(out)} of them unsubscribed, ` : ''}${count(changed)} changed, ${count(unchanged)} unchanged, ${count(refused)} refused.`;
  const did = isDryRun ? `Nothing was imported. An import of ${resource} would be:` : `Imported ${resource}:`;
  const text =
    strict && !isDryRun && refused > 0 ? `Nothing was imported. Bad lines: ${count(refused)}.` : `${did} ${counts}`;
  const undo =
    run === null || resource !== 'contacts' || changed === 0
      ? ''
      : `\nTo undo it: undo ${run} with the same --workspace.`;
  return { value: { ...report, run }, text: more + text + undo, isPartial: refused > 0 || !isLogged };
}

function count(value: number): string {
  return value.toLocaleString('en');
}
