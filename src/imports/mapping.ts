import { bareLetters, ConsentColumn, SUBSCRIBED_WORDS } from '#contract/importFiles/consents.ts';
import { type ChosenUse, type FileKind, PROVIDERS, type Target } from '#contract/importFiles/fileKind.ts';
import { isDataLine } from '#contract/importFiles/headerLine.ts';
import { bareName, findKinds } from '#contract/importFiles/recogniseFile.ts';
import { CHOSEN_NAMES, chooseColumns, findChoiceFault, saysWho } from '#contract/importFiles/chosenColumns.ts';
import { findHidden } from '#contract/importFiles/doubts.ts';
import {
  type Description,
  findDouble,
  type Plan,
  planFile,
  type PlannedColumn,
  translateRow,
} from '#contract/importFiles/translateRow.ts';
import type { ImportRow } from '#contract/imports.ts';
import { must } from '#contract/values/must.ts';
import type { SuppressionReason } from '#contract/suppressions/suppression.ts';
import { createPause } from '../listParser/pause.ts';
import { type BadLine, type ExportFile, PROVIDER_NAMES } from './readExport.ts';

/** What a file may be. `id` names it in the import that the service keeps. */
export type Source = {
  id: string;
  label: string;
  /** No export of a provider. */
  isOther: boolean;
  kind: Description & Pick<FileKind, 'refusal'>;
};

/** An attribute, what else the column says of an unsubscribe, or null to leave it out. */
export type Choice = string | { to: ChosenUse } | null;
/** By column, what was chosen instead of what the source says. */
export type Choices = ReadonlyMap<number, Choice>;

/** Characters of a row. Attributes of a contact have at most 64 KiB. */
const ROW_MAX = 100_000;

const sourceOf = (kind: FileKind): Source => {
  const label = `${PROVIDER_NAMES[kind.provider]}: ${kind.title}`;
  return { id: label, label, isOther: false, kind };
};

const KNOWN = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];
const EMAIL_NAMES = new Set(['email', 'emailaddress', 'mail']);

/** Names that a column of the command has for something else than an attribute. */
const FIELDS: ReadonlyMap<string, Target> = new Map<string, Target>([
  ['uuid', 'uuid'],
  ['created_at', 'created_at'],
  ['updated_at', 'updated_at'],
  ['attributes', 'attributes'],
]);

/** Another file: its columns are attributes, and who is in it is chosen. */
function otherSources(file: ExportFile): Source[] {
  const columns = file.isHeadless ? unnamedColumns(file) : namedColumns(file);
  const other = (what: string, suppressed?: SuppressionReason): Source => ({
    id: `Other file: ${what}`,
    label: `Other file: ${what}`,
    isOther: true,
    kind: {
      // Where everyone is unsubscribed, it's an attribute.
      columns:
        suppressed || file.isHeadless
          ? columns
          : { ...columns, subscribed: { subscribed: SUBSCRIBED_WORDS, why: 'unknown' } },
      others: file.isHeadless ? 'nowhere' : 'attributes',
      ...(suppressed && { suppressed }),
    },
  });
  return [
    other('contacts'),
    other('people who unsubscribed', 'request'),
    other('addresses that bounced', 'bounce'),
    other('spam complaints', 'complaint'),
  ];
}

function namedColumns({ header }: ExportFile): Record<string, Target> {
  const columns: Record<string, Target> = {};
  for (const name of header) {
    const known =
      KNOWN.find((attribute) => bareLetters(attribute) === bareLetters(name)) ??
      (EMAIL_NAMES.has(bareLetters(name)) ? 'email' : null);
    if (known !== null) columns[bareName(name)] = { attribute: known };
  }
  return columns;
}

/** Only the email is certain, where one column of the first line has an address. */
function unnamedColumns({ header, lines }: ExportFile): Record<string, Target> {
  const [column, ...others] = header.filter((_, index) => isDataLine([lines[0]?.cells[index] ?? '']));
  return column === undefined || others.length > 0 ? {} : { [bareName(column)]: { attribute: 'email' } };
}

/**
 * `found`: what its columns say it is, or may be; several if they don't distinguish them. `preset`: the one that's certain. `all`: what
 * can be chosen instead.
 */
export type Sources = { found: readonly Source[]; preset: Source | null; all: readonly Source[] };

export function findSources(file: ExportFile): Sources {
  const { kinds, isCertain } = findKinds(file);
  const inOrder = kinds.toSorted((one, other) => PROVIDERS.indexOf(one.provider) - PROVIDERS.indexOf(other.provider));
  const found = inOrder.map(sourceOf);
  const others = otherSources(file);
  const [only = null] = found;
  const certain = found.length === 1 ? only : null;
  const preset = isCertain ? certain : saysItself(file) ? others[0] : null;
  return { found, preset: preset ?? null, all: [...found, ...others] };
}

/** A column says who in it is unsubscribed, so it's no list of people who all are. */
const saysItself = (file: ExportFile): boolean =>
  file.header.some((name) => bareName(name) === 'subscribed') ||
  readConsents(file).some(({ isNamed, isOfAnswers }) => isNamed && isOfAnswers);

const consents = new WeakMap<ExportFile, readonly ConsentColumn[]>();

/** Reads a file once. */
function readConsents(file: ExportFile): readonly ConsentColumn[] {
  const known = consents.get(file);
  if (known !== undefined) return known;
  const columns = file.header.map((name) => new ConsentColumn(name));
  for (const { cells } of file.lines) for (const [index, column] of columns.entries()) column.read(cells[index] ?? '');
  consents.set(file, columns);
  return columns;
}

/** Only attributes, columns that are left out, and chosen ones can be changed: what a file itself unsubscribes is never dropped. */
export const isChoosable = (column: PlannedColumn): boolean =>
  column.target === 'nowhere' || nameOf(column) !== null || column.chosen !== undefined;

/** What the column is called, as an attribute or as a field of that name. */
export const nameOf = (column: PlannedColumn): string | null => column.named ?? attributeOf(column);

export function planImport({ isOther, kind }: Source, { header, lines }: ExportFile, choices: Choices): Plan {
  const plan = planFile(kind, header);
  const uses = new Map<number, ChosenUse>();
  const columns = plan.columns.map((column, index): PlannedColumn => {
    if (!isChoosable(column)) return column;
    const use = CHOSEN_NAMES.get(bareName(column.name));
    const chosen = choices.get(index) ?? (choices.has(index) ? null : use && { to: use });
    if (chosen === undefined) return isOther ? toField(column, attributeOf(column)) : column;
    if (chosen === null) return { ...column, target: 'nowhere' };
    if (typeof chosen === 'object') {
      uses.set(index, chosen.to);
      return column;
    }
    const named = bareName(chosen);
    const namedUse = named === 'subscribed' ? named : CHOSEN_NAMES.get(named);
    if (namedUse === undefined) return toField({ ...column, target: { attribute: chosen } }, chosen);
    uses.set(index, namedUse);
    return { ...column, named: chosen };
  });
  const cellsOf = (column: number) => lines.map(({ cells }) => cells[column] ?? '');
  return chooseColumns({ ...plan, columns }, uses, cellsOf);
}

/** The column as the field that `name` names; unchanged if it names none. */
function toField(column: PlannedColumn, name: string | null): PlannedColumn {
  const target = name === null ? undefined : FIELDS.get(bareName(name));
  return target === undefined || name === null ? column : { ...column, target, named: name };
}

export const attributeOf = ({ target }: PlannedColumn): string | null =>
  typeof target === 'object' && 'attribute' in target ? target.attribute : null;

/** Characters of a value that are shown. */
const EXCERPT_MAX = 200;

/** What the first lines have in a column; null if nothing. */
export function firstValueOf(file: ExportFile | null, column: number): string | null {
  for (const { cells } of file?.lines.slice(0, 100) ?? []) {
    const cell = cells[column]?.trim() ?? '';
    if (cell !== '') return cell.length > EXCERPT_MAX ? `${cell.slice(0, EXCERPT_MAX).toWellFormed()} …` : cell;
  }
  return null;
}

/** Why the columns can't be imported like this; null if they can. */
export function findMappingFault(plan: Plan, identityField: string | null): string | null {
  const attributes = plan.columns.map(attributeOf);
  const identities = ['email', 'phone', ...(identityField === null ? [] : [identityField])];
  const double = findDouble(plan) ?? findDoubleField(plan);
  if (double !== null) return `Two columns are for ${double}. Leave one out or rename it.`;
  const fault = findChoiceFault(plan);
  if (fault !== null) return fault;
  if (attributes.includes('suppression'))
    return 'suppression is no attribute. Choose Unsubscribed on for its date, and Reason for its reason.';
  if (attributes.includes('__proto__')) return 'An attribute can’t be called __proto__.';
  if (plan.columns.some(({ target }) => target === 'uuid' || target === 'attributes')) return null;
  if (attributes.some((name) => name !== null && identities.includes(name))) return null;
  return `No column identifies a contact. Name the column that is ${identities.join(' or ')}.`;
}

/** The field for which two columns are, if any. */
function findDoubleField({ columns }: Plan): string | null {
  const fields = columns.flatMap(({ target }) => (typeof target === 'string' && FIELDS.has(target) ? target : []));
  return fields.find((name, index) => fields.indexOf(name) !== index) ?? null;
}

/**
 * Columns that become attributes, and look as if they said who gets no mail. Where something else says it, only those whose headings do so.
 * Columns that an export is known to have say nothing else.
 */
export function findConsents(file: ExportFile, { columns, suppressed }: Plan): string[] {
  const isSaid = suppressed !== null || columns.some(({ target }) => saysWho(target));
  const read = readConsents(file);
  const isDoubtful = (column: PlannedColumn, index: number): boolean => {
    if (column.rank !== -1 || attributeOf(column) === null) return false;
    const { looksSo, isNamed } = must(read[index]);
    return looksSo && (isNamed || !isSaid);
  };
  return columns.filter(isDoubtful).map(({ name }) => name);
}

export type Translated = {
  rows: readonly { number: number; row: ImportRow }[];
  refused: readonly BadLine[];
  /** What couldn't be read in lines that are imported, or perhaps isn't meant. */
  doubts: readonly BadLine[];
};

/** The lines as contacts, in the order of the file. */
export async function translate(file: ExportFile, plan: Plan, identityField: string | null): Promise<Translated> {
  const rows: { number: number; row: ImportRow }[] = [];
  const refused: BadLine[] = [...file.unreadable];
  const doubts: BadLine[] = [];
  const pause = createPause();
  for (const { number, cells } of file.lines) {
    const line = translateRow(plan, cells);
    if ('fault' in line) refused.push({ number, fault: line.fault });
    else {
      const row = toRow(line.value as ImportRow);
      if (JSON.stringify(row).length > ROW_MAX)
        refused.push({ number, fault: 'The line is too long for one contact.' });
      else rows.push({ number, row });
      for (const fault of [...line.doubts, ...findHidden(row.attributes, identityField)])
        doubts.push({ number, fault });
    }
    await pause();
  }
  return { rows, refused, doubts };
}

/** Its suppression says that it's unsubscribed. */
const toRow = ({ uuid, attributes, created_at, updated_at, suppression }: ImportRow): ImportRow => ({
  ...(uuid !== undefined && { uuid }),
  attributes,
  ...(created_at !== undefined && { created_at }),
  ...(updated_at !== undefined && { updated_at }),
  ...(suppression && { suppression }),
});

export type FaultGroup = { fault: string; numbers: number[] };

/** Lines with the same fault. */
export function groupFaults(lines: readonly BadLine[]): FaultGroup[] {
  const groups = [...Map.groupBy(lines, ({ fault }) => fault)];
  return groups
    .map(([fault, bad]) => ({ fault, numbers: bad.map(({ number }) => number).toSorted((one, other) => one - other) }))
    .toSorted((one, other) => other.numbers.length - one.numbers.length);
}
