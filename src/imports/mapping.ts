import { bareLetters, looksLikeConsent, SUBSCRIBED_WORDS } from '#contract/importFiles/consents.ts';
import { type FileKind, PROVIDERS, type Target } from '#contract/importFiles/fileKind.ts';
import { isDataLine } from '#contract/importFiles/headerLine.ts';
import { bareName, findKinds } from '#contract/importFiles/recogniseFile.ts';
import {
  CHOSEN_NAMES,
  chooseColumns,
  type ChosenUse,
  findChoiceFault,
  chosenUse,
} from '#contract/importFiles/chosenColumns.ts';
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
import type { SuppressionReason } from '#contract/suppressions/suppression.ts';
import { createPause } from '../listParser/pause.ts';
import { type BadLine, type ExportFile, PROVIDER_NAMES } from './readExport.ts';

/** What a file may be. `id` names it in the import that the service keeps. */
export type Source = {
  id: string;
  label: string;
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
  return { id: label, label, kind };
};

const KNOWN = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];
const EMAIL_NAMES = new Set(['email', 'emailaddress', 'mail']);

/** As in the lines of the command. */
const SUBSCRIBED: Target = { subscribed: SUBSCRIBED_WORDS, why: 'unknown' };

/** Another file: its columns are attributes, and who is in it is chosen. */
function otherSources(file: ExportFile): Source[] {
  const columns = file.isHeadless ? unnamedColumns(file) : namedColumns(file);
  const other = (what: string, suppressed?: SuppressionReason): Source => ({
    id: `Other file: ${what}`,
    label: `Other file: ${what}`,
    kind: {
      // Where everyone is unsubscribed, it's an attribute.
      columns: suppressed || file.isHeadless ? columns : { ...columns, subscribed: SUBSCRIBED },
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
  const columns: Record<string, Target> = { attributes: 'attributes' };
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

export type Sources = { found: readonly Source[]; all: readonly Source[] };

/** `found`: what its columns say it is; several if they don't distinguish them. `all`: what can be chosen instead. */
export function findSources(file: ExportFile): Sources {
  const kinds = findKinds(file);
  const inOrder = kinds.toSorted((one, other) => PROVIDERS.indexOf(one.provider) - PROVIDERS.indexOf(other.provider));
  const found = inOrder.map(sourceOf);
  return { found, all: [...found, ...otherSources(file)] };
}

/** Only attributes, columns that are left out, and chosen ones can be changed: what a file itself unsubscribes is never dropped. */
export const isChoosable = (column: PlannedColumn): boolean =>
  column.target === 'nowhere' || attributeOf(column) !== null || chosenUse(column) !== null;

export function planImport({ kind }: Source, { header, lines }: ExportFile, choices: Choices): Plan {
  const plan = planFile(kind, header);
  const uses = new Map<number, ChosenUse>();
  const columns = plan.columns.map((column, index): PlannedColumn => {
    if (!isChoosable(column)) return column;
    const use = CHOSEN_NAMES.get(bareName(column.name));
    const chosen = choices.get(index) ?? (choices.has(index) ? null : use && { to: use });
    if (chosen === undefined) return column;
    if (chosen !== null && typeof chosen === 'object') uses.set(index, chosen.to);
    return { ...column, target: typeof chosen === 'string' ? { attribute: chosen } : 'nowhere' };
  });
  const cellsOf = (column: number) => lines.map(({ cells }) => cells[column] ?? '');
  return chooseColumns({ ...plan, columns }, uses, cellsOf);
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
  const double = findDouble(plan);
  if (double !== null) return `Two columns are for ${double}. Leave one out or rename it.`;
  const fault = findChoiceFault(plan);
  if (fault !== null) return fault;
  if (attributes.includes('__proto__')) return 'An attribute can’t be called __proto__.';
  if (plan.columns.some(({ target }) => target === 'uuid' || target === 'attributes')) return null;
  if (attributes.some((name) => name !== null && identities.includes(name))) return null;
  return `No column identifies a contact. Name the column that is ${identities.join(' or ')}.`;
}

/** Columns that become attributes and don't unsubscribe, whatever they say. */
export const findConsents = (plan: Plan): string[] =>
  plan.columns
    .filter((column) => attributeOf(column) !== null && looksLikeConsent(column.name))
    .map(({ name }) => name);

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
