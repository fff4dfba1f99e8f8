import { NotHere, type Row } from './drill.ts';
import { drills } from './drills.ts';

// The process of one drill: main.ts starts it, hears of each row, and can end it with all that it has started.

const [name = '', folder = ''] = process.argv.slice(2);

const drill = drills.find((one) => one.name === name);
if (drill === undefined) throw new Error(`There is no drill "${name}".`);

try {
  for await (const row of drill.run(folder)) tell(row);
} catch (error) {
  const row = { what: drill.about, expected: 'the drill comes to its end', measured: (error as Error).message };
  tell({ ...row, holds: error instanceof NotHere ? null : false });
  if (!(error instanceof NotHere)) console.error(error);
}
process.disconnect?.();

function tell(row: Row): void {
  if (process.send) process.send(row);
  else console.log(row);
}
