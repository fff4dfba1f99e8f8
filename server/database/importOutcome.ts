import type { FieldError } from '#contract/list.ts';

/** What an import did with one row: its faults when nothing. */
export type ImportOutcome = 'added' | 'changed' | 'unchanged' | FieldError[];
