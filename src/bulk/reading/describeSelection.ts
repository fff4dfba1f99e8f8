import type { ParsedEntry } from '../../listParser/readEntries.ts';
import type { ParsedInput } from '../../listParser/readInput.ts';
import { formatCount } from '../../ui/format/formatCount.ts';

const OTHERS = 'Other rows say why they aren’t.';

/** By which rule entries of a list or a table begin selected; null where another sentence says it, or nothing was read. */
export function describeSelection(
  { table, isList, author }: ParsedInput,
  entries: readonly ParsedEntry[],
): string | null {
  if (entries.every(({ values }) => values.length === 0)) return null;
  const areAll = entries.every(({ values, leftOut }) => values.length > 0 && leftOut === null);
  if (isList) {
    return areAll
      ? 'Every line is an email, phone number or ID: all begin selected.'
      : `Read as a list: an email, phone number or ID alone in its line begins selected. ${OTHERS}`;
  }
  if (author !== null && entries.some(({ values, leftOut }) => values.length > 0 && leftOut === null))
    return 'The sender is a contact and asks for nothing but their own unsubscribe: the sender begins selected.';
  if (table === null || table.column === null || table.isUndecided || table.asked.length > 0) return null;
  const heading = table.table.headings[table.column] ?? '';
  if (areAll) return `Every row has a contact in “${heading}”: all begin selected.`;
  const contacts = entries.filter(({ values }) => values.length > 0);
  const selected = contacts.filter(({ leftOut }) => leftOut === null).length;
  if (selected === contacts.length) return `Read as a table: each contact in “${heading}” begins selected. ${OTHERS}`;
  if (selected === 0) return `Read as a table: no contact in “${heading}” begins selected. The rows say why.`;
  const verb = selected === 1 ? 'begins' : 'begin';
  return `Read as a table: ${formatCount(selected)} of ${formatCount(contacts.length)} contacts in “${heading}” ${verb} selected. ${OTHERS}`;
}
