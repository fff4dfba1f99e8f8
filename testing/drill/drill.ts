/** One check and its result. */
export type DrillResult = {
  what: string;
  expected: string;
  measured: string;
  /** Null if this machine could not show it; `measured` then says why. */
  holds: boolean | null;
};

/** The long form of a test. */
export type Drill = {
  /** Its name on the command line. */
  name: string;
  /** One sentence. */
  description: string;
  /** After this time it is ended, with all processes that it has started. */
  minutesMax: number;
  /**
   * Returns each row as soon as it is known. `folder` is empty, everybody may enter it, and it is removed when the
   * drill ends.
   */
  run: (folder: string) => AsyncIterable<DrillResult>;
};

/** This machine cannot run a drill. The message is one sentence that says why. */
export class UnsupportedMachineError extends Error {
  override readonly name = 'UnsupportedMachineError';
}
