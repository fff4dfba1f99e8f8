/** A program that this part of the benchmark needs is not there, and cannot be installed. The message says what to do. */
export class MissingProgramError extends Error {}
