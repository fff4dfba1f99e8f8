import { listChanges, recordExport } from '#contract/auditLog.ts';
import { authorOf } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { timestamp } from '../database/timestamp.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { type Route, route } from '../http/route.ts';
import * as log from './listChanges.ts';

type Dependencies = {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
};

export const logRoutes = ({ database, now }: Dependencies): Route[] => [
  route(listChanges, ({ workspace, query }) => log.listChanges(workspace, database, query)),

  route(recordExport, async ({ workspace, body: { operation, format, of }, caller }) => {
    const details = { operation, format, ...(of !== undefined && { of: of.toLowerCase() }) };
    const entry = { action: 'export', author: authorOf(caller), details } as const;
    const time = await database.write(workspace, (scope) => writeLog(scope, [entry], now()));
    return { data: { logged_at: timestamp(time) } };
  }),
];
