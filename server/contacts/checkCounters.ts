import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import { type Counts, PARTS } from '../database/tables.ts';
import type { Workspace } from '../workspaces/store.ts';
import { ALL_NAMES, countedPeriods, LEVELS, type Owner, SPLIT, type Stretch } from './eventPeriods.ts';

/** Counts the events of every contact anew and says, in one sentence each, where the stored counters differ. */
export async function checkCounters(workspace: Workspace, db: Database): Promise<string[]> {
  const contacts = await db.kysely
    .selectFrom('contacts')
    .select(['id', 'uuid'])
    .where('workspace_id', '=', workspace.id)
    .execute();
  const faults: string[] = [];
  for (const { id, uuid } of contacts) {
    const owner: Owner = { workspace_id: workspace.id, contact_id: id };
    const differing = await db.read(workspace, async (trx) => {
      const names = await namesDiffer(trx, owner);
      return [...names, ...(await periodsDiffer(trx, owner))];
    });
    faults.push(...differing.map((what) => `Contact ${uuid}: ${what}`));
  }
  return faults;
}

async function namesDiffer(trx: Transaction, { workspace_id, contact_id }: Owner): Promise<string[]> {
  const counted = await trx
    .selectFrom('events')
    .select(({ fn }) => ['event_name', fn.countAll<number>().as('count')])
    .where('workspace_id', '=', workspace_id)
    .where('contact_id', '=', contact_id)
    .groupBy('event_name')
    .execute();
  const stored = await trx
    .selectFrom('event_names')
    .select(['event_name', 'count'])
    .where('workspace_id', '=', workspace_id)
    .where('contact_id', '=', contact_id)
    .execute();
  const { event_count } = await trx
    .selectFrom('contacts')
    .select('event_count')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', contact_id)
    .executeTakeFirstOrThrow();
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  return [
    ...(total === event_count ? [] : [`it has ${total} events, and ${event_count} are counted.`]),
    ...(sameRows(counted, stored) ? [] : ['its events are counted wrongly by name.']),
  ];
}

type PeriodRow = Counts & { event_name: string; period: number };

async function periodsDiffer(trx: Transaction, owner: Owner): Promise<string[]> {
  const faults: string[] = [];
  const stored = await trx
    .selectFrom('event_periods')
    .select(['level', 'event_name', 'period', ...PARTS])
    .where('workspace_id', '=', owner.workspace_id)
    .where('contact_id', '=', owner.contact_id)
    .execute();
  const storedAt = Map.groupBy(stored, ({ level }) => level);
  // What is cut further on the way down: all time first.
  let cut: (Stretch | null)[] = (await countEvents(trx, owner)) > SPLIT ? [null] : [];
  for (const level of LEVELS) {
    const counted: PeriodRow[] = [];
    for (const stretch of cut) {
      counted.push(...(await sql<PeriodRow>`${countedPeriods(owner, level, stretch)}`.execute(trx)).rows);
    }
    const rows = counted.map((row) => ({ level, ...row }));
    if (!sameRows(rows, storedAt.get(level) ?? []))
      faults.push(`its events are counted wrongly by period of 2^${level} milliseconds.`);
    cut = counted.flatMap((row) =>
      PARTS.flatMap((part, index) =>
        row.event_name === ALL_NAMES && row[part] > SPLIT ? { level: level - 4, index: row.period * 16 + index } : [],
      ),
    );
  }
  return faults;
}

async function countEvents(trx: Transaction, { workspace_id, contact_id }: Owner): Promise<number> {
  const { count } = await trx
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspace_id)
    .where('contact_id', '=', contact_id)
    .executeTakeFirstOrThrow();
  return count;
}

function sameRows(one: readonly object[], other: readonly object[]): boolean {
  return sortedText(one) === sortedText(other);
}

function sortedText(rows: readonly object[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join();
}
