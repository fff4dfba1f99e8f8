import { Buffer } from 'node:buffer';
import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { must } from '#contract/values/must.ts';
import { ConsentColumn } from '#contract/importFiles/consents.ts';
import type { FileKind, Provider, Target } from '#contract/importFiles/fileKind.ts';
import { saysWho } from '#contract/importFiles/chosenColumns.ts';
import { readEntries } from '#contract/importFiles/entries.ts';
import { FILE_KINDS, type FileFacts, recogniseFile } from '#contract/importFiles/recogniseFile.ts';
import { findDouble, type Plan, planFile, translateRow } from '#contract/importFiles/translateRow.ts';
import { toPrintable } from '../../terminal/printable.ts';
import { CommandError } from '../../terminal/terminal.ts';
import { asUtf8, readLines } from './readLines.ts';
import { formatNames } from './consentNotes.ts';
import { createDoubtNotes, type Format, type ImportRow } from './readRows.ts';
import { readTable, type TableRow } from './readTable.ts';

/** What a provider exported; `kind` says what it is where its columns don't. */
export type ExportedFile = { provider: Provider; kind?: string | undefined };

/** A document is read as a whole. */
const DOCUMENT_MAX = 64 * 1024 * 1024;

/** The lines of an import of contacts, from a file of a provider. `onNote` gets a sentence about how it's read. Throws `CommandError`. */
export async function* readExport(
  source: AsyncIterable<Uint8Array>,
  format: Format,
  file: ExportedFile,
  onNote: (sentence: string) => void,
): AsyncGenerator<ImportRow> {
  const document: DocumentFacts = { document: {} };
  let plan: Plan | null = null;
  const consents = new Map<number, ConsentColumn>();
  const noteDoubt = createDoubtNotes(onNote);
  for await (const row of format === 'csv' ? readTable(readLines(source, true)) : readDocument(source, document)) {
    if ('fault' in row) {
      yield row;
    } else if (plan === null) {
      const kind = requireKind({ header: row.cells, ...document }, file);
      if (document.more) onNote(document.more);
      plan = planFile(kind, row.cells);
      notePlan(kind, plan, onNote);
      for (const [index, { rank, name, target }] of plan.columns.entries())
        if (rank === -1 && isAttribute(target)) consents.set(index, new ConsentColumn(name));
    } else {
      const { number, cells } = row;
      for (const [index, column] of consents) column.read(cells[index] ?? '');
      const translation = translateRow(plan, format === 'csv' ? cells.map(unescapeFormulas) : cells);
      if ('value' in translation) for (const doubt of translation.doubts) noteDoubt(number, doubt);
      yield { number, ...translation };
    }
  }
  if (plan !== null && plan.suppressed === null) noteConsents(plan, consents, onNote);
}

function noteConsents(
  { columns }: Plan,
  consents: ReadonlyMap<number, ConsentColumn>,
  onNote: (sentence: string) => void,
): void {
  const isSaid = columns.some(({ target }) => saysWho(target));
  const found = [...consents].filter(([, { looksSo, isNamed }]) => looksSo && (isNamed || !isSaid));
  if (found.length > 0)
    onNote(
      `${formatNames(found.map(([index]) => must(columns[index]).name))}: this does NOT unsubscribe anybody. To unsubscribe people, import a file of only them as a list that unsubscribes.`,
    );
}

type DocumentFacts = Pick<FileFacts, 'document' | 'list'> & { more?: string | null };

/** The entries of a list in JSON, or of JSON lines, as a table: first the keys of all. What else it says goes to `document`. */
async function* readDocument(source: AsyncIterable<Uint8Array>, document: DocumentFacts): AsyncGenerator<TableRow> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of asUtf8(source)) {
    size += chunk.length;
    if (size > DOCUMENT_MAX) throw new CommandError('The file is longer than 64 MiB. Split it, or save it as CSV.');
    chunks.push(chunk);
  }
  const entries = readEntries(Buffer.concat(chunks).toString());
  if ('fault' in entries) throw new CommandError(entries.fault);
  document.document = entries.document;
  document.list = entries.list;
  document.more = entries.more;
  yield { number: 0, cells: [...entries.header] };
  yield* entries.rows;
}

function requireKind(facts: FileFacts, { provider, kind: name }: ExportedFile): FileKind {
  const kinds = FILE_KINDS.filter((kind) => kind.provider === provider);
  const names = [...new Set(kinds.map((kind) => kind.name))];
  if (name !== undefined && !names.includes(name))
    throw new CommandError(`There is no kind ${toPrintable(name)}. Of ${provider} there are ${names.join(', ')}.`);
  const found = recogniseFile(facts, provider, name);
  if ('ask' in found) {
    const choices = found.ask.map((kind) => `--kind ${kind.name} (${kind.title})`).join(' or ');
    throw new CommandError(`Several exports have these columns. Say which it is: ${choices}.`);
  }
  if ('unknown' in found) throw new CommandError(describeUnknown(found.unknown, kinds, name));
  if (found.kind.refusal !== undefined) throw new CommandError(found.kind.refusal);
  return found.kind;
}

function describeUnknown(like: FileKind | null, kinds: readonly FileKind[], name: string | undefined): string {
  const { provider } = must(kinds[0]);
  if (like !== null)
    return `These aren't columns of ${provider}. They look like ${like.title} of ${like.provider}: add --from ${like.provider}.`;
  const expected = kinds
    .filter((kind) => name === undefined || kind.name === name)
    .map(({ title, has, list }) => `${title}: ${has.join(', ')}${list === undefined ? '' : ` (or JSON with ${list})`}`);
  return `The columns aren't those of an export of ${provider}. Expected are, in any order:\n  ${expected.join('\n  ')}`;
}

const isAttribute = (target: Target): boolean => typeof target === 'object' && 'attribute' in target;

function notePlan(kind: FileKind, plan: Plan, onNote: (sentence: string) => void): void {
  const double = findDouble(plan);
  if (double !== null) throw new CommandError(`Two columns are for ${toPrintable(double)}. Rename or delete one.`);
  onNote(`Read as ${kind.title} of ${kind.provider}.`);
  const named = (wanted: (target: Plan['columns'][number]) => boolean) =>
    formatNames(plan.columns.filter(wanted).map(({ name }) => name));
  const attributes = named(({ rank, target }) => rank === -1 && target !== 'nowhere');
  if (attributes !== '') onNote(`Columns read as attributes: ${attributes}.`);
  const left = named(({ target }) => target === 'nowhere');
  if (left !== '') onNote(`Columns left out: ${left}.`);
}
