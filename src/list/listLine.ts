/** A piece of the input that is searched for identities. */
export type ListLine = {
  text: string;
  /** Its line or row, from 1. */
  line: number;
  /** What it is part of, in words, like the name of a column or of a header; null for a line of a text. */
  source: string | null;
  /** Whether it is prose: then it is no mistake that it has no identity. */
  isProse: boolean;
  /** The mail that it is part of: its number among those that were read, and how deep it is within that; absent without one. */
  mail?: { number: number; depth: number };
};
