import { endSession, listSessions } from '#contract/members.ts';
import { includesRole } from '#contract/roles.ts';
import { authorOf } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { ProblemError } from '../http/problems.ts';
import { type Route, route } from '../http/route.ts';
import { withTimeout } from '../http/withTimeout.ts';
import type { AccessLog } from './accessLog.ts';
import type { AccessWriteBuffer } from './accessWriteBuffer.ts';
import * as list from './listSessions.ts';
import { END_TIMEOUT_MS } from './sessionLimits.ts';

type Dependencies = {
  database: Database;
  accessWrites: AccessWriteBuffer;
  accessLog: AccessLog;
  now: () => number;
};

export function sessionListRoutes({ database, accessWrites, accessLog, now }: Dependencies): Route[] {
  return [
    route(listSessions, ({ workspace, role, caller, session, query }) => {
      const owner = includesRole(role, 'admin') ? null : caller;
      return list.listSessions(workspace, database, { owner, current: session }, query, now());
    }),

    route(endSession, async ({ workspace, role, caller, params }) => {
      const owner = includesRole(role, 'admin') ? null : caller;
      const found = await list.findListedSession(workspace, database, params.session, owner);
      if (found === null) throw new ProblemError(404, 'There is no such session in this workspace.');
      // Who asks again, because it is not stored yet, ends nothing.
      if (!accessWrites.hasEnded(found.hash))
        accessLog.addSessionEnd(workspace, authorOf(caller), found.details, now());
      await withTimeout(accessWrites.end(found.hash), END_TIMEOUT_MS, endPendingProblem);
      return undefined;
    }),
  ];
}

const endPendingProblem = () =>
  new ProblemError(503, 'The session has ended. The server will record it once the database is available.', {
    headers: { 'retry-after': '2' },
  });
