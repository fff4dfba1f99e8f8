import { isAttribute } from '#contract/list.ts';
import { parseChoice } from '../../table/useColumnChoice.ts';

/** Fields of the columns of the table of contacts. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  last_name: ['attributes.first_name', 'attributes.last_name'],
  email: ['attributes.email'],
  subscribed: ['subscribed'],
  company: ['attributes.company'],
  updated_at: ['updated_at'],
  created_at: ['created_at'],
};

/** The columns of a file: the UUID, and what the table shows with this choice, in a window that is wide enough. */
export function selectedColumns(chosen: string | null): string[] {
  const choice = parseChoice(chosen);
  const shown = Object.entries(FIELDS).flatMap(([id, fields]) =>
    id === 'last_name' || choice.get(id) !== false ? fields : [],
  );
  const attributes = [...choice].flatMap(([id, isShown]) => (isShown && isAttribute(id) ? id : []));
  return [...new Set(['uuid', ...shown, ...attributes])];
}
