import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, { across: number; down: number }>> = {
  ArrowLeft: { across: -1, down: 0 },
  ArrowRight: { across: 1, down: 0 },
  ArrowUp: { across: 0, down: -1 },
  ArrowDown: { across: 0, down: 1 },
};

/** Moves the focus from a cell of a table to the next one with a link or button, in the direction of the arrow key. */
export function moveBetweenCells(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const cell = (event.target as Element).closest('td');
  const body = cell?.closest('tbody');
  if (step === undefined || !cell || !body || event.ctrlKey || event.metaKey || event.altKey) return;
  // Arrow keys would scroll the page.
  event.preventDefault();
  let row = [...body.rows].findIndex((one) => one.contains(cell));
  let column = cell.cellIndex;
  for (;;) {
    row += step.down;
    column += step.across;
    const next = body.rows[row]?.cells[column];
    if (next === undefined) return;
    const target = next.querySelector<HTMLElement>('a, button');
    if (target !== null) return target.focus();
  }
}
