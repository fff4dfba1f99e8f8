import type { FieldError } from '#contract/list.ts';

/** What an import did with one row; the errors of a row that was not imported. */
export type ImportOutcome = 'added' | 'changed' | 'unchanged' | FieldError[];
