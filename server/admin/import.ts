import { Argument, type Command, Option } from 'commander';
import { uuid } from './arguments.ts';
import { openInput, STANDARD } from './files.ts';
import { FAULTS_MAX, type Import, importRows, type Report } from './importRows.ts';
import { type Format, FORMATS, readRows } from './readRows.ts';
import { type Resource, RESOURCES, ways } from './resources.ts';
import type { Outcome, Run } from './run.ts';
import { workspaceOf } from './workspace.ts';

type Options = { workspace: string; format?: Format; strict?: boolean };

export function addImportCommand(program: Command, run: Run): void {
  program
    .command('import')
    .description('add the lines of a file; what is there already stays, and nobody is subscribed again')
    .addArgument(new Argument('<resource>', 'what the lines are').choices(RESOURCES))
    .argument('<file>', `NDJSON or CSV in UTF-8; ${STANDARD} is standard input`)
    .requiredOption('--workspace <uuid>', 'ID of the workspace', uuid)
    .option('--strict', 'add all lines or, when one is bad, none')
    .addOption(new Option('--format <format>', 'when the name of the file does not tell').choices(FORMATS))
    .action((resource: Resource, file: string, options: Options, command: Command) => {
      const format = options.format ?? formatOf(file) ?? command.error('error: add --format ndjson or --format csv');
      return run(async (database, terminal) => {
        const workspace = await workspaceOf(database, options.workspace);
        const { source, share } = openInput(file);
        let rowsIn = 0;
        const work: Import = {
          database,
          workspace,
          rows: readRows(source, format, ways[resource].columns(workspace), (sentence) => terminal.say(sentence)),
          prepare: ways[resource].prepare(Date.now()),
          batchRows: ways[resource].batchRows,
          strict: options.strict === true,
          onFault: ({ number, fault }) => terminal.say(`Line ${number}: ${fault}`),
          onProgress(rows: number) {
            rowsIn = rows;
            terminal.progress(share(), `${rows.toLocaleString('en')} lines`);
          },
        };
        try {
          return outcomeOf(await importRows(work), resource, work.strict);
        } catch (error) {
          if (!work.strict && rowsIn > 0) {
            terminal.say(`${rowsIn} lines were done before it failed; to add the rest, import the file again.`);
          }
          throw error;
        }
      });
    });
}

function formatOf(file: string): Format | null {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.(ndjson|jsonl|json)$/i.test(file) ? 'ndjson' : null;
}

function outcomeOf(report: Report, resource: Resource, strict: boolean): Outcome {
  const { added, changed, unchanged, refused } = report;
  const untold = refused - FAULTS_MAX;
  const more = untold > 0 ? `${count(untold)} more bad lines are not shown.\n` : '';
  const text =
    strict && refused > 0
      ? `Nothing was imported: bad lines: ${count(refused)}.`
      : `Imported ${resource}: ${count(added)} added, ${count(changed)} changed, ${count(unchanged)} unchanged, ${count(refused)} refused.`;
  return { value: report, text: more + text, isPartial: refused > 0 };
}

function count(value: number): string {
  return value.toLocaleString('en');
}
