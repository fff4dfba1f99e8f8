import type { UnreadableLine } from './readLines.ts';

/** A parsed line, not validated yet, with its size in memory (`sizeOf`); or why it could not be read. */
export type ImportRow = { number: number; value: object; size: number } | UnreadableLine;

/** Bytes in memory of an empty list or object. */
const CONTAINER_SIZE = 28;

/** The approximate size in memory of a line of JSON, in characters. Nested lists take more than their text. */
export function sizeOf(text: string): number {
  let containers = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x5b || char === 0x7b) containers++;
  }
  return Math.max(text.length, containers * CONTAINER_SIZE);
}

/** The columns that a CSV file may have. */
export type CsvColumns = {
  /** Fields of the resource. */
  fields: readonly string[];
  /** Known attributes, such as `email`; null when the resource has no attributes. */
  attributes: readonly string[] | null;
  /** The first line must name one column of each group. */
  requiredOneOf: readonly (readonly string[])[];
};
