/** A piece of the input that is searched for identities. */
export type ListLine = {
  text: string;
  /** Its line or row, from 1. */
  line: number;
  /** What it is part of, in words, like the name of a column or of a header; null for a line of a text. */
  source: string | null;
  /** Whether it is prose: then it is no mistake that it has no identity. */
  isProse: boolean;
  /**
   * The mail that it is part of, one object for each: its number among those that were read, how deep it is within that, and
   * whether it passes another on, so that whom it quotes may be meant; whether it is the report of a server, or returned with
   * one, so that nobody is meant but whom the report is about; whether a program wrote it, or what it is attached to, as an
   * answer, so that nobody is meant. Absent without one.
   */
  mail?: { number: number; depth: number; isForward: boolean; isReport: boolean; isAutomatic: boolean };
};
