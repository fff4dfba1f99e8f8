import { getRetention, type Retention } from '#contract/retention.ts';
import { readRetention } from '../database/changeLog/checkpoint.ts';
import type { Database } from '../database/database.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { type Route, route } from '../http/route.ts';

export const retentionRoutes = ({ database }: { database: Database }): Route[] => [
  route(getRetention, async ({ workspace }) => ({ data: await describeRetention(workspace, database) })),
];

async function describeRetention(workspace: Workspace, db: Database): Promise<Retention> {
  const row = await db.read(workspace, readRetention);
  return {
    events: { days: row.event_days, deleted_before: timeOrNull(row.events_before) },
    log: { days: row.log_days, deleted_before: timeOrNull(row.log_before), kept: row.kept },
  };
}

const timeOrNull = (time: number) => (time === 0 ? null : timestamp(time));
