/** One thing that was looked at. */
export type DrillResult = {
  what: string;
  expected: string;
  measured: string;
  /** Null where this machine could not show it; `measured` then says why. */
  holds: boolean | null;
};

/** The long form of what the tests show in short. */
export type Drill = {
  /** As it is called on the command line. */
  name: string;
  /** One sentence. */
  description: string;
  /** After so long it is ended, with all that it has started. */
  minutesMax: number;
  /** Gives each row as soon as it is known. `folder` is empty, everybody may enter it, and it goes when the drill ends. */
  run: (folder: string) => AsyncIterable<DrillResult>;
};

/** This machine cannot run a drill. The message is one sentence that says why. */
export class UnsupportedMachineError extends Error {
  override readonly name = 'UnsupportedMachineError';
}
