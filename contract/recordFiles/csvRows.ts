import { escapeFormulas } from '#contract/values/csvInjection.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { describeAccepted, type RecordChange, type RecordChanges } from './recordChanges.ts';
import { formatFound, type RecordData } from './recordData.ts';

const HEADINGS = ['action', 'zone', 'name', 'type', 'priority', 'value', 'ttl', 'note'];

/** Lines of CSV (RFC 4180): what to delete and add, what to do by hand, and what isn't a matter of records. */
export function formatChangesAsCsv({ changes, notes, accepted }: RecordChanges): string {
  return [
    HEADINGS,
    ...changes.flatMap(rowsOf),
    ...[...notes.map(({ title, text }) => `${title}: ${text}`), ...describeAccepted(accepted)].map((text) => [
      'note',
      ...Array.from({ length: HEADINGS.length - 2 }, () => ''),
      text,
    ]),
  ]
    .map(csvLine)
    .join('');
}

function rowsOf({ record, zone, ttl, todo, removed, misplaced, byHand }: RecordChange): (string | number | null)[][] {
  const row = (action: string, one: RecordData, note: string) => {
    const { name, type, priority, value } = one;
    return [action, zone, name, type, priority, value, action === 'delete' ? null : ttl, note];
  };
  if (byHand !== null) {
    const found = removed.map((one) => ` There now: ${one.type} ${formatFound(one)}`);
    return [row('by hand', record, `${todo} ${byHand}${found.join('')}`)];
  }
  return [
    ...removed.map((one) => row('delete', one, '')),
    row('add', record, todo),
    ...misplaced.map((one) => row('delete', one, '')),
  ];
}

/** No text is read as a formula, and none can end a line. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(value: string | number | null): string {
  const text = escapeFormulas(escapeInvisible(String(value ?? '')));
  return /[",;]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
