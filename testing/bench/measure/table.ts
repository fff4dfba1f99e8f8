/** A measurement, its value, and the goal if there is one. */
export type BenchmarkRow = readonly [what: string, value: string, goal?: string];

/** Rows as aligned text under one heading. */
export function formatTable(rows: readonly BenchmarkRow[]): string {
  const all: BenchmarkRow[] = [['measured', 'value', 'goal'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      widths
        .map((width, column) => (row[column] ?? '').padEnd(width))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
