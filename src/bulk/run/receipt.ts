import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { describeSuppression } from '../../identity/describeSuppression.ts';
import { CSV_BOM, csvLine } from '../../ui/format/csv.ts';
import { determineStatus, formatStatus, isSelectable, type BulkEntry, type EndedList } from '../bulkState.ts';

const HEADINGS = [
  'line',
  'text',
  'read as',
  'result',
  'name',
  'email',
  'company',
  'contact',
  'at (UTC)',
  'request id',
  'why',
];
/** What is said of the run, alike in each line. */
const RUN_HEADINGS = ['workspace', 'run', 'started by', 'reason', 'ticket'];
const UNDO_HEADINGS = ['undo', 'undone at (UTC)', 'undo request id', 'undo why'];
/** Longer lists are only in the file, not in the text for a ticket. */
const NAMED_MAX = 50;

export function receiptName({ ended_at }: EndedList): string {
  return `unsubscribed-${ended_at.slice(0, 16).replaceAll(/[:T]/g, '-')}.csv`;
}

/** The lines of the receipt. An undo has its own columns. */
export function receiptCsv(list: EndedList, entries: readonly BulkEntry[], workspaceName: string): string[] {
  const isUndone = list.undo !== null || entries.some(({ undo }) => undo !== null);
  const headings = [...HEADINGS, ...RUN_HEADINGS, ...(isUndone ? UNDO_HEADINGS : [])];
  const { run, author, said } = list;
  const ofRun = [workspaceName, run, author, describeSuppression(whyOf({ reason: said?.reason })), said?.ticket];
  const line = (entry: BulkEntry) => csvLine([...cellsOf(entry), ...ofRun, ...(isUndone ? undoCellsOf(entry) : [])]);
  return [CSV_BOM + csvLine(headings), ...Array.from(entries, line)];
}

function cellsOf(entry: BulkEntry): unknown[] {
  const { line, text, as, person, found, outcome } = entry;
  const isUnreadable = entry.values.length === 0;
  return [
    line,
    text,
    isUnreadable ? '' : as,
    formatResult({ ...entry, undo: null }),
    person?.name,
    person?.email,
    person?.company,
    outcome?.uuid ?? found?.uuid,
    outcome?.at,
    outcome?.request_id,
    describeReason(entry),
  ];
}

function undoCellsOf({ undo, ...entry }: BulkEntry): unknown[] {
  return undo === null ? ['', '', '', ''] : [formatResult({ ...entry, undo }), undo.at, undo.request_id, undo.why];
}

function describeReason({ repeats, outcome, isSelected, leftOut, values, as }: BulkEntry): string | null | undefined {
  if (values.length === 0) return as;
  if (repeats !== null) return `same contact as line ${repeats}`;
  return outcome === null && !isSelected ? leftOut : outcome?.why;
}

function formatResult(entry: BulkEntry): string {
  const status = determineStatus(entry);
  if (isSelectable(entry) && !entry.isSelected && entry.outcome === null) return 'Left out';
  if (status === 'unchecked' || status === 'subscribed' || status === 'exists') return 'Not sent';
  return formatStatus(status);
}

/** The receipt as text for a ticket. */
export function receiptText(list: EndedList, entries: readonly BulkEntry[], workspaceName: string): string {
  const source = list.source === null ? '' : ` from ${onOneLine(list.source)}`;
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const label = formatResult(entry);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const { undo } = list;
  const lines = [
    `Unsubscribed from ${onOneLine(workspaceName)}: ${counts.get(formatStatus('unsubscribed')) ?? 0} of ${entries.length} entries read${source}.`,
    ...describeRun(list),
    ...(undo === null
      ? []
      : [`Undone ${describePeriod(undo)}${describeAuthor(undo)}. Reason: ${onOneLine(undo.reason)}`]),
    '',
    ...[...counts].map(([words, count]) => `${words}: ${count}`),
  ];
  if (entries.length > NAMED_MAX) {
    return `${[...lines, '', `Each line is in the file ${receiptName(list)}.`].join('\n')}\n`;
  }
  return `${[...lines, '', ...Array.from(entries, describeEntry)].join('\n')}\n`;
}

/** When, by whom, under which name in the log, and why. */
export function describeRun(list: EndedList): string[] {
  const { run, said } = list;
  const why = describeSuppression(whyOf(said));
  const ofRun = run === undefined ? '' : `, run ${run}`;
  return [
    `${capitalize(describePeriod(list))}${describeAuthor(list, 'started by')}${ofRun}.`,
    ...(why === '' ? [] : [`Reason: ${onOneLine(why)}.`]),
  ];
}

const whyOf = (said: EndedList['said']) => ({ reason: null, ticket: null, origin: null, ...said });
const describePeriod = ({ began_at, ended_at }: { began_at: string; ended_at: string }) =>
  `between ${utc(began_at)} and ${utc(ended_at)} (UTC)`;
const describeAuthor = ({ author }: { author?: string | null | undefined }, by = 'by') =>
  author ? `, ${by} "${onOneLine(author)}"` : '';
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function describeEntry(entry: BulkEntry): string {
  const last = entry.undo ?? entry.outcome;
  const name = entry.person?.name ? ` (${onOneLine(entry.person.name)})` : '';
  const request = last?.request_id ? `, request ${last.request_id}` : '';
  const when = last === null ? '' : `, ${utc(last.at)}`;
  const text = onOneLine(entry.text).trim().slice(0, 120) || `line ${entry.line} (empty)`;
  return `${text}${name}: ${formatResult(entry).toLowerCase()}${when}${request}`;
}

const utc = (time: string) => time.slice(0, 19).replace('T', ' ');
const onOneLine = (text: string) => escapeHidden(text.replaceAll(/\s+/g, ' '));
