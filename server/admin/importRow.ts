import type { UnreadableLine } from './readLines.ts';

/** What a line says, not yet checked, and how much it is (`sizeOf`); or why that cannot be told. */
export type ImportRow = { number: number; value: object; size: number } | UnreadableLine;

/** Bytes that a list or an object takes, however little is in it. */
const CONTAINER_SIZE = 28;

/** How much there is to hold of a line, in characters: usually its own, but nested lists are two characters each. */
export function sizeOf(text: string): number {
  let containers = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x5b || char === 0x7b) containers++;
  }
  return Math.max(text.length, containers * CONTAINER_SIZE);
}

/** What the columns of a CSV file may be called. */
export type CsvColumns = {
  /** Fields of the resource. */
  fields: readonly string[];
  /** Attributes that have a name of their own, such as `email`; null when the resource has no attributes. */
  attributes: readonly string[] | null;
  /** Of each group the first line must name one. */
  requiredOneOf: readonly (readonly string[])[];
};
