import type { ReadableContact } from '#contract/contact.ts';
import { ATTRIBUTE_PREFIX, isAttribute } from '#contract/list.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import type { Column } from '../table/DataTable.tsx';
import { parseChoice, useColumnChoice } from '../table/useColumnChoice.ts';
import { EndCut } from '../ui/values/UntrustedText.tsx';

/** With columns of their own. */
const KNOWN: ReadonlySet<string> = new Set(['email', 'first_name', 'last_name', 'company']);

/** Columns of attributes: those that were chosen, and those that may be, which are the chosen ones and those of these contacts. */
export function useAttributeColumns(contacts: readonly ReadableContact[] = []) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const choice = useColumnChoice('contacts');
  const chosen = [...parseChoice(choice.chosen)].flatMap(([id, isShown]) =>
    isShown && isAttribute(id) ? id.slice(ATTRIBUTE_PREFIX.length) : [],
  );
  const names = new Set([...contacts.flatMap(({ attributes }) => Object.keys(attributes ?? {})), ...chosen]);
  const offered = [...names]
    // Others can't be chosen.
    .filter((name) => !KNOWN.has(name) && name.isWellFormed())
    .toSorted()
    .map(toColumn);
  return { offered, chosen: chosen.map(toColumn) };
}

const toColumn = (name: string): Column<ReadableContact> & { isOptional: true } => ({
  id: ATTRIBUTE_PREFIX + name,
  header: escapeHidden(name),
  cell: ({ attributes }) => <EndCut text={textOf(attributes?.[name])} />,
  width: 120,
  fits: true,
  isOptional: true,
});

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
