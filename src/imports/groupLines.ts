import type { ImportRow } from '#contract/imports.ts';
import { must } from '#contract/values/must.ts';
import type { Translated } from './mapping.ts';

type Line = Translated['rows'][number];

/** Lines that may be about the same contact, together and in the order of the file. `identityField` is the workspace's. */
export function groupLines(rows: readonly Line[], identityField: string | null): readonly (readonly Line[])[] {
  const earlier = [...rows.keys()];
  const firstOf = (line: number): number => {
    let first = line;
    for (; must(earlier[first]) !== first; first = must(earlier[first]))
      earlier[first] = must(earlier[must(earlier[first])]);
    return first;
  };
  const named = new Map<string, number>();
  for (const [index, { row }] of rows.entries()) {
    for (const name of namesOf(row, identityField)) {
      const known = firstOf(named.get(name) ?? index);
      const own = firstOf(index);
      earlier[Math.max(known, own)] = Math.min(known, own);
      named.set(name, known);
    }
  }
  return [...Map.groupBy(rows, (_, index) => firstOf(index)).values()];
}

function namesOf({ uuid, attributes }: ImportRow, identityField: string | null): string[] {
  const { email, phone } = attributes;
  const names = { uuid, email, phone, ...(identityField !== null && { custom: attributes[identityField] }) };
  return Object.entries(names).flatMap(([kind, value]) => {
    const name = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    return name === '' ? [] : `${kind} ${kind === 'custom' || kind === 'phone' ? name : name.toLowerCase()}`;
  });
}
