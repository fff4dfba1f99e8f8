import { endSession, listSessions } from '#contract/people.ts';
import { includesRole } from '#contract/roles.ts';
import { authorOf } from '../database/author.ts';
import type { Database } from '../database/database.ts';
import { ProblemError } from '../http/problems.ts';
import { type Route, route } from '../http/route.ts';
import type { AccessWriteBuffer } from './accessWriteBuffer.ts';
import * as list from './listSessions.ts';

type Dependencies = {
  database: Database;
  accessWrites: AccessWriteBuffer;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
};

/** The list of sessions, and the end of one: of the whole workspace for an admin, else of whoever asks. */
export function sessionListRoutes({ database, accessWrites, now }: Dependencies): Route[] {
  const end = (hash: string) => accessWrites.end(hash);
  return [
    route(listSessions, ({ workspace, role, caller, session, query }) => {
      const owner = includesRole(role, 'admin') ? null : caller;
      return list.listSessions(workspace, database, { owner, current: session }, query, now());
    }),

    route(endSession, async ({ workspace, role, caller, params }) => {
      const owner = includesRole(role, 'admin') ? null : caller;
      const by = { owner, author: authorOf(caller), now: now() };
      const isThere = await list.endListedSession(workspace, database, params.session, end, by);
      if (!isThere) throw new ProblemError(404, 'There is no such session in this workspace.');
      return undefined;
    }),
  ];
}
