import {
  createSharedLink,
  listSharedLinks,
  revokeSharedLink,
  SHARED_LINKS_MAX,
} from '#contract/domains/sharedLinks.ts';
import { authorOf } from '../../database/changeLog/author.ts';
import type { Database } from '../../database/database.ts';
import { ProblemError } from '../../http/problems.ts';
import { type Route, route } from '../../http/route.ts';
import * as links from './sharedLinks.ts';

type Dependencies = { database: Database; now: () => number };

export const sharedLinkRoutes = ({ database, now }: Dependencies): Route[] => [
  route(listSharedLinks, async ({ workspace, params, query }) => {
    return (await links.listSharedLinks(workspace, database, params.domain, query)) ?? notFound('domain');
  }),

  route(createSharedLink, async ({ workspace, params, caller }) => {
    const by = { now: now(), author: authorOf(caller) };
    const created = await links.createSharedLink(workspace, database, params.domain, by);
    if (created === 'tooMany') {
      throw new ProblemError(409, `This domain has ${SHARED_LINKS_MAX} links that work. Revoke one first.`);
    }
    return { data: created ?? notFound('domain') };
  }),

  route(revokeSharedLink, async ({ workspace, params, caller }) => {
    const by = { now: now(), author: authorOf(caller) };
    return { data: (await links.revokeSharedLink(workspace, database, params, by)) ?? notFound('link of this domain') };
  }),
];

function notFound(what: string): never {
  throw new ProblemError(404, `There is no such ${what} in this workspace.`);
}
