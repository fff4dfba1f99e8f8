import { obtainProgram as obtain, type Program } from '../programs/debianPackages.ts';
import { UnsupportedMachineError } from './drill.ts';

export type { Program };

/** A program of this machine or of Debian (testing/programs/debianPackages.ts). Throws `UnsupportedMachineError`. */
export function obtainProgram(...wanted: Parameters<typeof obtain>): Program {
  try {
    return obtain(...wanted);
  } catch (error) {
    throw new UnsupportedMachineError((error as Error).message, { cause: error });
  }
}
