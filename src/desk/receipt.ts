import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { must } from '#contract/must.ts';
import { CSV_BOM, csvLine } from '../ui/csv.ts';
import type { DeskList } from './deskState.ts';
import {
  type DeskEntry,
  type EntryStatus,
  determineStatus,
  formatStatus,
  entryStatuses,
  type StatusCounts,
} from './entry.ts';

const HEADINGS = ['line', 'text', 'read as', 'result', 'contact', 'at (UTC)', 'request id', 'why'];
/** Entries that the text for a ticket names one by one. Longer lists are only in the file. */
const NAMED_MAX = 50;

/** The file name of the receipt. Throws when the list has not ended. */
export function receiptName({ ended_at }: DeskList): string {
  return `unsubscribed-${must(ended_at).slice(0, 16).replaceAll(/[:T]/g, '-')}.csv`;
}

export function receiptCsv(entries: readonly DeskEntry[]): string[] {
  return [CSV_BOM + csvLine(HEADINGS), ...entries.map((entry) => csvLine(cellsOf(entry)))];
}

function cellsOf(entry: DeskEntry): unknown[] {
  const { line, text, as, repeats, found, outcome } = entry;
  const status = determineStatus(entry);
  const why =
    status === 'duplicate' ? `names the same as line ${repeats}` : status === 'unreadable' ? as : outcome?.why;
  const uuid = outcome?.uuid ?? found?.uuid;
  return [
    line,
    text,
    status === 'unreadable' ? '' : as,
    formatResult(status),
    uuid,
    outcome?.at,
    outcome?.request_id,
    why,
  ];
}

/** The label of a status after the end of the list. */
function formatResult(status: EntryStatus): string {
  if (status === 'sent') return 'Sent, not answered';
  if (status === 'unchecked' || status === 'subscribed' || status === 'exists') return 'Not sent';
  return formatStatus(status);
}

/** The receipt as a text for a ticket: workspace, counts, times in UTC, and the entries of a short list. */
export function receiptText(
  list: DeskList,
  entries: readonly DeskEntry[],
  statusCounts: StatusCounts,
  workspaceName: string,
): string {
  const source = list.source === null ? '' : ` from ${onOneLine(list.source)}`;
  const counts = new Map<string, number>();
  for (const status of entryStatuses) {
    const label = formatResult(status);
    if (statusCounts[status] > 0) counts.set(label, (counts.get(label) ?? 0) + statusCounts[status]);
  }
  const lines = [
    `Unsubscribed from ${onOneLine(workspaceName)}: ${counts.get(formatStatus('unsubscribed')) ?? 0} of ${entries.length} entries read${source}.`,
    `Between ${utc(list.began_at)} and ${utc(list.ended_at)} (UTC).`,
    '',
    ...[...counts].map(([words, count]) => `${words}: ${count}`),
  ];
  if (entries.length > NAMED_MAX)
    return `${[...lines, '', `Each line is in the file ${receiptName(list)}.`].join('\n')}\n`;
  const named = entries.map((entry) => {
    const { outcome } = entry;
    const request = outcome?.request_id ? `, request ${outcome.request_id}` : '';
    const when = outcome === null ? '' : `, ${utc(outcome.at)}`;
    return `${shortText(entry)}: ${formatResult(determineStatus(entry)).toLowerCase()}${when}${request}`;
  });
  return `${[...lines, '', ...named].join('\n')}\n`;
}

const utc = (time: string | null) => time?.slice(0, 19).replace('T', ' ') ?? '-';
const shortText = ({ text }: DeskEntry) => onOneLine(text).slice(0, 120);
const onOneLine = (text: string) => escapeHidden(text.replaceAll(/\s+/g, ' '));
