import type { Command } from 'commander';
import type { Database } from '../../../database/database.ts';
import {
  beginDistribution,
  DISTRIBUTED_TABLES,
  distributeNext,
  endDistribution,
  findObstacle,
  hasServices,
  type Measured,
  measure,
  readDistribution,
  ownsLog,
  refuseLogChanges,
} from '../../../database/postgres/distribute.ts';
import type { RunWithDatabase } from '../runCommand.ts';
import { startRowProgress } from '../../terminal/rowProgress.ts';
import { CommandError, type Terminal } from '../../terminal/terminal.ts';

export function addDistributeCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('distribute')
    .description(
      'distribute the workspaces of a PostgreSQL database over several machines with Citus; stop the services first',
    )
    .option('--dry-run', 'count what would be distributed, and say what is missing')
    .action(({ dryRun = false }: { dryRun?: boolean }) =>
      run(async (database, terminal) => {
        if ((await database.space()) !== null) throw new CommandError('DATABASE_URL must name a PostgreSQL database.');
        const state = await database.unscoped.read(readDistribution);
        if (state === 'distributed') {
          if (dryRun) return { value: { tables: [] }, text: 'The tables are distributed already.' };
          if (!(await database.unscoped.read(ownsLog))) throw new CommandError(NOT_OWNER);
          await database.unscoped.write(refuseLogChanges);
          return {
            value: { tables: [] },
            text: 'The tables are distributed already, and the log is append-only on each machine.',
          };
        }
        const obstacle = await database.unscoped.read(findObstacle);
        if (obstacle !== null) throw new CommandError(obstacle);
        if (dryRun) return preview(database);
        if (await database.unscoped.read(hasServices)) throw new CommandError(IN_USE);
        const tables = await distribute(database, terminal, state === 'begun');
        const rows = sumOf(tables).toLocaleString('en');
        return {
          value: { tables },
          text: `Distributed ${rows} rows of ${tables.length} tables, and compared them. Start the services.`,
        };
      }),
    );
}

const NOT_OWNER = 'Run this as the role that owns the tables: only that can make the log append-only on each machine.';
const IN_USE = 'Services use this database: stop them first, because nothing can be read or written meanwhile.';

const sumOf = (tables: readonly Measured[]) => tables.reduce((sum, { count }) => sum + count, 0);

async function preview(database: Database) {
  const tables = await database.unscoped.read(async (trx) => {
    const all: Measured[] = [];
    for (const table of DISTRIBUTED_TABLES) all.push(await measure(trx, table));
    return all;
  });
  const lines = tables.map(({ table, count }) => `${table}: ${count.toLocaleString('en')} rows`);
  return { value: { tables }, text: ['Would distribute:', ...lines].join('\n') };
}

/** A transaction for each table, so that a run that was killed continues with the next. */
async function distribute(database: Database, terminal: Terminal, isBegun: boolean): Promise<Measured[]> {
  if (!isBegun) {
    const counted = startRowProgress(terminal, 'rows counted');
    let rows = 0;
    await database.unscoped.write((trx) => beginDistribution(trx, ({ count }) => counted((rows += count), null)));
  }
  const done: Measured[] = [];
  const show = startRowProgress(terminal, 'rows distributed');
  for (;;) {
    const next = await database.unscoped.write(distributeNext);
    if (next === null) break;
    done.push(next);
    show(sumOf(done), done.length / DISTRIBUTED_TABLES.length);
  }
  await database.unscoped.write(endDistribution);
  const warning = await database.analyze();
  if (warning !== null) terminal.say(warning);
  return done;
}
