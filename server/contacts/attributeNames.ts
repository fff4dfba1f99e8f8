import type { Scope } from '../database/scope.ts';
import { parseAttributes } from './contactRow.ts';

/** Contacts that were added first, and as many that were added last. */
const SAMPLED = 1_000;

/** Names of attributes that the contacts have, by a sample of them. */
export async function readAttributeNames(scope: Scope): Promise<string[]> {
  const read = (order: 'asc' | 'desc') =>
    scope.select('contacts').select('attributes').orderBy('id', order).limit(SAMPLED).execute();
  const rows = [...(await read('asc')), ...(await read('desc'))];
  return [...new Set(rows.flatMap(({ attributes }) => Object.keys(parseAttributes(attributes) ?? {})))];
}
