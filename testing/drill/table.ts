import type { DrillResult } from './drill.ts';

export type NamedDrillResult = DrillResult & { drill: string };

const HEADING = ['drill', 'what', 'expected', 'measured', 'holds'];

/** Rows as aligned text under one heading. */
export function formatText(rows: readonly NamedDrillResult[]): string {
  const lines = [HEADING, ...rows.map(cellsOf)];
  const widths = HEADING.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** How many of the rows hold, and how many do not. */
export function formatSummary(rows: readonly DrillResult[]): string {
  const count = (wanted: boolean | null) => rows.filter(({ holds }) => holds === wanted).length;
  return `${count(true)} hold, ${count(false)} do not, ${count(null)} could not be shown here`;
}

function cellsOf({ drill, what, expected, measured, holds }: NamedDrillResult): string[] {
  const word = holds === null ? 'not shown' : holds ? 'yes' : 'NO';
  return [drill, what, expected, measured, word].map((cell) => cell.replaceAll(/\s+/g, ' ').trim());
}
