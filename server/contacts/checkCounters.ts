import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { type PeriodCounters, COUNTER_COLUMNS } from '../database/tables.ts';
import type { Workspace } from '../database/workspace.ts';
import { checkContacts, eachContact } from './checkContacts.ts';
import {
  ALL_NAMES,
  selectRecountedPeriods,
  LEVELS,
  SPLIT_THRESHOLD,
  type TimeBucket,
} from '../database/eventPeriods.ts';

/** One sentence for each counter that is wrong. Holds the counters of one contact and level at a time. */
export function checkCounters(workspace: Workspace, db: Database): Promise<string[]> {
  const findErrors = eachContact(async (scope, { id, event_count }) => {
    const names = await countEventsByName(scope, id);
    const total = names.reduce((sum, { counted }) => sum + counted, 0);
    return [
      ...(total === event_count ? [] : [`it has ${total} events, and ${event_count} are counted.`]),
      ...(names.every(({ counted, stored }) => counted === stored) ? [] : ['its events are counted wrongly by name.']),
      ...(await findPeriodErrors(scope, id, total)),
    ];
  });
  return checkContacts(workspace, db, findErrors);
}

/** For each name, the number of events and the value of the counter. */
async function countEventsByName(scope: Scope, contactId: number): Promise<{ counted: number; stored: number }[]> {
  return scope.run(sql<{ counted: number; stored: number }>`
    select sum(counted) as counted, sum(stored) as stored
    from (
      select event_name, count(*) as counted, 0 as stored from events
      where workspace_id = ${scope.id} and contact_id = ${contactId} group by event_name
      union all
      select event_name, 0, count from event_names
      where workspace_id = ${scope.id} and contact_id = ${contactId}
    ) as names
    group by event_name`);
}

type PeriodRow = PeriodCounters & { event_name: string; period: number };

async function findPeriodErrors(scope: Scope, contactId: number, total: number): Promise<string[]> {
  const errors: string[] = [];
  const stored = await rowsByLevel(scope, contactId);
  // The buckets that are split on this level. The first one is all time (null).
  let split: (TimeBucket | null)[] = total > SPLIT_THRESHOLD ? [null] : [];
  for (const level of LEVELS) {
    let isRight = true;
    let rows = 0;
    const next: TimeBucket[] = [];
    for (const bucket of split) {
      const counted = await scope.run(sql<PeriodRow>`${selectRecountedPeriods(scope, contactId, level, bucket)}`);
      isRight &&= sameRows(counted, await storedPeriods(scope, contactId, level, bucket));
      rows += counted.length;
      for (const row of counted) {
        if (row.event_name !== ALL_NAMES) continue;
        for (const [index, part] of COUNTER_COLUMNS.entries()) {
          if (row[part] > SPLIT_THRESHOLD) next.push({ level: level - 4, index: row.period * 16 + index });
        }
      }
    }
    if (!isRight || rows !== (stored.get(level) ?? 0)) {
      errors.push(`its events are counted wrongly by period of 2^${level} milliseconds.`);
    }
    split = next;
  }
  return errors;
}

async function rowsByLevel(scope: Scope, contactId: number): Promise<Map<number, number>> {
  const rows = await scope
    .select('event_periods')
    .select(({ fn }) => ['level', fn.countAll<number>().as('rows')])
    .where('contact_id', '=', contactId)
    .groupBy('level')
    .execute();
  return new Map(rows.map(({ level, rows }) => [level, rows]));
}

async function storedPeriods(
  scope: Scope,
  contactId: number,
  level: number,
  bucket: TimeBucket | null,
): Promise<PeriodRow[]> {
  const all = scope
    .select('event_periods')
    .select(['event_name', 'period', ...COUNTER_COLUMNS])
    .where('contact_id', '=', contactId)
    .where('level', '=', level);
  return (bucket === null ? all : all.where('period', '=', bucket.index)).execute();
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
