import { Argument, type Command, Option } from 'commander';
import { randomUUID } from 'node:crypto';
import { COMMAND, type LogAuthor } from '../../../database/changeLog/author.ts';
import type { Scope } from '../../../database/scope.ts';
import { writeLog } from '../../../database/changeLog/writeLog.ts';
import { workspaceCommand } from '../arguments.ts';
import { STANDARD_STREAM } from '../../terminal/files.ts';
import { toPrintable } from '../../terminal/printable.ts';
import { startRowProgress } from '../../terminal/rowProgress.ts';
import { emptyReport, REPORTED_LINES_MAX, type ImportJob, importRows, type ImportReport } from '../lines/importRows.ts';
import { LineThread } from '../lines/lineBatches.ts';
import { type Resource, RESOURCES } from '../lines/lineKinds.ts';
import { type Format, FORMATS } from '../lines/readRows.ts';
import { resourceTransfers } from '../lines/resources.ts';
import type { CommandResult, RunWithDatabase } from '../runCommand.ts';
import { requireWorkspace } from '../workspace.ts';

/** Written lines from which on the plans of the engine may change; looking at its tables takes a second or two at most. */
const ANALYZED_MIN = 1_000;

type Options = { workspace: string; format?: Format; strict?: boolean };

export function addImportCommand(program: Command, run: RunWithDatabase): void {
  workspaceCommand(program, 'import', 'import a file; existing data stays, and nobody is resubscribed')
    .addArgument(new Argument('<resource>', 'what the lines are').choices(RESOURCES))
    .argument('<file>', `NDJSON or CSV in UTF-8; ${STANDARD_STREAM} is standard input`)
    .option('--strict', 'import all lines, or none if one is bad')
    .addOption(new Option('--format <format>', "if the file name doesn't say").choices(FORMATS))
    .action((resource: Resource, file: string, options: Options, command: Command) => {
      const format = options.format ?? formatOf(file) ?? command.error('error: add --format ndjson or --format csv');
      return run(async (database, terminal) => {
        const workspace = await requireWorkspace(database, options.workspace);
        const author = { ...COMMAND, run: randomUUID() };
        const { identity_field } = workspace;
        const input = { file, format, resource, context: { identity_field } };
        await using lines = new LineThread(input, (sentence) => terminal.say(sentence));
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
          log: (scope) => logImport(scope, job.report, resource, author),
          strict: options.strict === true,
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
          if (!job.strict && rowsIn > 0) {
            terminal.say(`${rowsIn} lines were imported before it failed. Import the file again to add the rest.`);
          }
          throw error;
        }
        if (job.report.added + job.report.changed >= ANALYZED_MIN) {
          const warning = await database.analyze();
          if (warning !== null) terminal.say(toPrintable(warning, 500));
        }
        return toCommandResult(job.report, resource, { strict: job.strict, isLogged });
      });
    });
}

async function logImport(scope: Scope, report: ImportReport, resource: Resource, author: LogAuthor): Promise<void> {
  const { added, changed, unchanged, refused } = report;
  const details = { resource, added, changed, unchanged, refused };
  await writeLog(scope, [{ action: 'import_run', author, details }], Date.now());
}

function formatOf(file: string): Format | null {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.(ndjson|jsonl|json)$/i.test(file) ? 'ndjson' : null;
}

function toCommandResult(
  report: ImportReport,
  resource: Resource,
  { strict, isLogged }: { strict: boolean; isLogged: boolean },
): CommandResult {
  const { added, changed, unchanged, refused } = report;
  const unreported = refused - REPORTED_LINES_MAX;
  const more = unreported > 0 ? `${count(unreported)} more bad lines aren't shown.\n` : '';
  const text =
    strict && refused > 0
      ? `Nothing was imported. Bad lines: ${count(refused)}.`
      : `Imported ${resource}: ${count(added)} added, ${count(changed)} changed, ${count(unchanged)} unchanged, ${count(refused)} refused.`;
  return { value: report, text: more + text, isPartial: refused > 0 || !isLogged };
}

function count(value: number): string {
  return value.toLocaleString('en');
}
