import { UnsupportedMachineError, type DrillResult } from './drill.ts';
import { drills } from './drills.ts';

// The process of one drill. main.ts starts it, receives each row, and can end it with all processes that it has
// started.

const [name = '', folder = ''] = process.argv.slice(2);

const drill = drills.find((one) => one.name === name);
if (drill === undefined) throw new Error(`There is no drill "${name}".`);

try {
  for await (const row of drill.run(folder)) sendResult(row);
} catch (error) {
  const row = { what: drill.description, expected: 'the drill comes to its end', measured: (error as Error).message };
  sendResult({ ...row, holds: error instanceof UnsupportedMachineError ? null : false });
  if (!(error instanceof UnsupportedMachineError)) console.error(error);
}
process.disconnect?.();

function sendResult(row: DrillResult): void {
  if (process.send) process.send(row);
  else console.log(row);
}
