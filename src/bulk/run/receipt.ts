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
  const unlisted = countUnlisted(list).map(([words, count]) =>
    csvLine([
      '',
      `${count} of the list`,
      '',
      words,
      '',
      '',
      '',
      '',
      '',
      '',
      'The service keeps only how many',
      ...ofRun,
    ]),
  );
  return [CSV_BOM + csvLine(headings), ...Array.from(entries, line), ...unlisted];
}

/** Entries of a run of the service that it doesn't list. */
function countUnlisted({ kept }: EndedList): (readonly [words: string, count: number])[] {
  if (kept === undefined) return [];
  const counts = [
    [formatStatus('missing'), kept.missing],
    [formatStatus('duplicate'), kept.duplicate],
    ['Erased since', kept.erased],
  ] as const;
  return counts.filter(([, count]) => count > 0);
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

/** The receipt as text for a ticket. `isSure`: whether it was read what others did with the list since. */
export function receiptText(
  list: EndedList,
  entries: readonly BulkEntry[],
  workspaceName: string,
  isSure = true,
): string {
  const source = list.source === null ? '' : ` from ${onOneLine(list.source)}`;
  const counts = new Map<string, number>(countUnlisted(list));
  for (const entry of entries) {
    const label = formatResult(entry);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const done = entries.filter((entry) => determineStatus({ ...entry, undo: null }) === 'unsubscribed').length;
  const lines = [
    `Unsubscribed from ${onOneLine(workspaceName)}: ${done} of ${list.kept?.entries ?? entries.length} entries read${source}.`,
    ...describeRun(list),
    ...describeUndo(list, entries),
    ...(isSure ? [] : ['Couldn’t check whether others have undone it since.']),
    '',
    ...[...counts].map(([words, count]) => `${words}: ${count}`),
  ];
  if (entries.length > NAMED_MAX) {
    return `${[...lines, '', `Each line is in the file ${receiptName(list)}.`].join('\n')}\n`;
  }
  return `${[...lines, '', ...Array.from(entries, describeEntry)].join('\n')}\n`;
}

/** By this browser, and by others. */
function describeUndo({ undo }: EndedList, entries: readonly BulkEntry[]): string[] {
  const others = entries
    .flatMap((entry) => (determineStatus(entry) === 'undone' ? (entry.undo?.at ?? '') : []))
    .toSorted();
  const [first, last] = [others.at(0), others.at(-1)];
  return [
    ...(undo === null
      ? []
      : [`Undone ${describePeriod(undo)}${describeAuthor(undo)}. Reason: ${onOneLine(undo.reason)}`]),
    ...(first === undefined || last === undefined
      ? []
      : [
          `${others.length} subscribed again by another undo${first === '' ? '' : ` ${describePeriod({ began_at: first, ended_at: last })}`}.`,
        ]),
  ];
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
  const when = last === null || last.at === '' ? '' : `, ${utc(last.at)}`;
  const text = onOneLine(entry.text).trim().slice(0, 120) || `line ${entry.line} (empty)`;
  return `${text}${name}: ${formatResult(entry).toLowerCase()}${when}${request}`;
}

const utc = (time: string) => time.slice(0, 19).replace('T', ' ');
const onOneLine = (text: string) => escapeHidden(text.replaceAll(/\s+/g, ' '));
