import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { must } from '../../contract/values/must.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { listWorkspaces } from '../../server/workspaces/store.ts';
import { CONTACTS, openContactStores } from './contactStores.ts';
import { type Engine, ENGINES, type Stores } from './stores.ts';
import { memoryOf } from './measure/processMemory.ts';
import { type Cost, costOf } from './measure/processorTime.ts';
import type { BenchmarkRow } from './measure/table.ts';

/** Between two looks at the memory of the command. */
const SAMPLE_MS = 100;

/** `admin verify` of whole workspaces, by the command as it is run. */
export async function measureVerify(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openContactStores(folder);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      const measured: Measured[] = [];
      for (const size of CONTACTS) measured.push(await measureOne(stores, engine, size));
      const last = must(measured.at(-1));
      const seconds = measured.map(({ cost }) => cost.clock.toFixed(1)).join(' -> ');
      const sizes = CONTACTS.map((size) => size.toLocaleString('en')).join(' -> ');
      rows.push(
        [`${engine}: verify of ${sizes} contacts`, `${seconds} s`],
        [
          'of the last, processor time with that of the server, and memory of the command at most',
          `${last.cost.processor.toFixed(1)} s, ${last.memory.toFixed(0)} MiB`,
        ],
      );
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

/** `memory`: MiB that the command held at most. */
type Measured = { cost: Cost; memory: number };

async function measureOne(stores: Stores, engine: Engine, size: number): Promise<Measured> {
  const url = stores.urlOf(engine, size);
  const database = await openDatabase(url);
  const { uuid } = must((await listWorkspaces(database))[0]);
  await database.close();
  let memory = 0;
  const cost = await costOf(engine === 'SQLite' ? null : stores.serverPid, async () => {
    const command = spawn(process.execPath, ['server/admin.ts', 'verify', '--workspace', uuid], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(command, 'spawn');
    // Once it has ended it is not a number.
    const sampling = setInterval(() => (memory = Math.max(memory, memoryOf(must(command.pid)).most || 0)), SAMPLE_MS);
    command.once('exit', () => clearInterval(sampling));
    const [status] = (await once(command, 'close')) as [number | null];
    // Faults are an error too: it would measure something else.
    if (status !== 0) throw new Error(`verify ended with ${status}.`);
  });
  return { cost, memory };
}
