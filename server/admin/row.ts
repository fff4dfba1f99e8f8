import type { BadLine } from './readLines.ts';

/** What a line says, not yet checked, and how long it is in characters; or why that cannot be told. */
export type Row = { number: number; value: object; size: number } | BadLine;

/** What the columns of a CSV file may be called. */
export type Columns = {
  /** Fields of the resource. */
  fields: readonly string[];
  /** Attributes that have a name of their own, such as `email`; null when the resource has no attributes. */
  attributes: readonly string[] | null;
  /** Of each group the first line must name one. */
  needed: readonly (readonly string[])[];
};
