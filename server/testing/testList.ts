import type { CheckedListQuery, Sort } from '#contract/list.ts';

export const ALL: CheckedListQuery = { page: 1, per_page: 100, search: '', sorting: [], filters: {} };

/** Newest first by default; equal rows by UUID, in the direction of the last column. */
export function compareRows<Row extends { uuid: unknown }>(sorting: Sort[]): (one: Row, other: Row) => number {
  const asked = sorting.length > 0 ? sorting : [{ id: 'created_at', desc: true }];
  const columns = [...asked, { id: 'uuid', desc: asked.at(-1)?.desc === true }] as { id: keyof Row; desc: boolean }[];
  return (one, other) => {
    const differing = columns.find(({ id }) => one[id] !== other[id]);
    if (differing === undefined) return 0;
    return one[differing.id] < other[differing.id] === differing.desc ? 1 : -1;
  };
}
