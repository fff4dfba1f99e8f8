import { fork } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Drill, DrillResult } from './drill.ts';
import { drills } from './drills.ts';
import { formatText, formatSummary, type NamedDrillResult } from './table.ts';

// npm run drill [-- NAME ...]: the long forms of the tests, each in a process of its own, and one table. The exit code
// is 1 when something does not hold.

async function main(names: string[]): Promise<void> {
  const unknown = names.find((name) => !drills.some((drill) => drill.name === name));
  if (unknown !== undefined) {
    const isHelp = unknown === '--help';
    if (!isHelp) console.error(`There is no drill "${unknown}".`);
    const known = drills.map(({ name, description }) => `  ${name.padEnd(14)}${description}\n`);
    console.log(
      `npm run drill [-- NAME ...] runs all of these, two hours, or those that are named:\n${known.join('')}`,
    );
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const rows: NamedDrillResult[] = [];
  const wanted = names.length === 0 ? drills : drills.filter(({ name }) => names.includes(name));
  for (const drill of wanted) {
    const start = performance.now();
    console.log(`\n${drill.name}: ${drill.description}`);
    const ofDrill = (await runAlone(drill)).map((row) => ({ drill: drill.name, ...row }));
    console.log(formatText(ofDrill));
    console.log(`${formatSummary(ofDrill)} (${Math.round((performance.now() - start) / 1000)} s)`);
    rows.push(...ofDrill);
  }
  if (wanted.length > 1) console.log(`\n${formatText(rows)}\n${formatSummary(rows)}`);
  if (rows.some(({ holds }) => holds === false)) process.exitCode = 1;
}

/** Runs a drill in a process group of its own, so that all of it can be ended after its time limit. */
async function runAlone({ name, description, minutesMax }: Drill): Promise<DrillResult[]> {
  const folder = mkdtempSync(join(tmpdir(), `sendroom-drill-${name}-`));
  chmodSync(folder, 0o755);
  const rows: DrillResult[] = [];
  const child = fork(join(import.meta.dirname, 'drillProcess.ts'), [name, folder], { detached: true });
  const endAll = () => {
    if (child.pid !== undefined) end(-child.pid);
    // Servers that have left the group have their files in the folder.
    for (const pid of workingIn(folder)) end(pid);
  };
  const stop = () => {
    endAll();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endAll();
  }, minutesMax * 60_000);
  child.on('message', (row) => void rows.push(row as DrillResult));
  const { promise: ended, resolve } = Promise.withResolvers<string | number | null>();
  child.on('close', (code, signal) => resolve(code ?? signal));
  const code = await ended;
  clearTimeout(timer);
  endAll();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  rmSync(folder, { recursive: true, force: true });
  const expected = `the drill comes to its end within ${minutesMax} minutes`;
  if (isLate) rows.push({ what: description, expected, measured: 'it was ended', holds: false });
  else if (code !== 0)
    rows.push({ what: description, expected, measured: `its process ended with ${code}`, holds: false });
  else if (rows.length === 0)
    rows.push({ what: description, expected, measured: 'it looked at nothing', holds: false });
  return rows;
}

/** `pid` as for `kill`: a negative one is a group. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
}

function workingIn(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`);
    } catch {
      // It has ended meanwhile, or belongs to somebody else.
      return false;
    }
  });
}

await main(process.argv.slice(2));
