import { getWorkspace } from '#contract/additions.ts';
import { additions } from '#contract/openapi/allAdditions.ts';
import { createToken, listTokens, revokeToken } from '#contract/members.ts';
import { authorOf } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { ProblemError, validationProblem } from '../http/problems.ts';
import { type Route, route } from '../http/route.ts';
import * as store from './store.ts';

type Dependencies = {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
};

export const workspaceRoutes = ({ database, now }: Dependencies): Route[] => [
  route(getWorkspace, async ({ workspace: { uuid, name, identity_field }, role }) => {
    return { data: { uuid, name, identity_field, role, capabilities: additions.map(({ id }) => id) } };
  }),

  route(listTokens, ({ workspace, query }) => store.listTokens(workspace, database, query, now())),

  route(createToken, async ({ workspace, body, caller }) => {
    const time = now();
    const expires_at = parseExpiry(body.expires_at ?? null, time);
    const making = store.createToken(workspace, database, { ...body, expires_at }, time, authorOf(caller));
    const made = await making.catch((error: unknown) => {
      if (!(error instanceof store.TooManyTokensError)) throw error;
      throw validationProblem([{ field: 'name', message: error.message }]);
    });
    const { uuid, token: secret } = made;
    const row = {
      uuid,
      name: body.name,
      role: body.role,
      created_at: time,
      expires_at,
      used_at: null,
      revoked_at: null,
    };
    return { data: { ...store.tokenOf(row), secret } };
  }),

  route(revokeToken, async ({ workspace, params, caller }) => {
    const isThere = await store.revokeToken(workspace, database, params.token, now(), authorOf(caller));
    if (!isThere) throw new ProblemError(404, 'There is no such token in this workspace.');
    return undefined;
  }),
];

/** In milliseconds. Throws a `ProblemError` where it is no time of the future. */
function parseExpiry(text: string | null, now: number): number | null {
  const time = text === null ? null : Date.parse(text);
  if (time === null || time > now) return time;
  throw validationProblem([{ field: 'expires_at', message: 'expires_at is in the past.' }]);
}
