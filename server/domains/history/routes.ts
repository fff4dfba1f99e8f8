import {
  getDomainHistory,
  getDomainReport,
  listDomainChanges,
  listDomainReports,
  updateDomain,
} from '#contract/domainHistory.ts';
import { authorOf } from '../../database/changeLog/author.ts';
import type { Database } from '../../database/database.ts';
import { type Route, route } from '../../http/route.ts';
import { throwNoSuchDomain } from '../noSuchDomain.ts';
import * as reports from './listReports.ts';
import * as spans from './listSpans.ts';
import * as updating from './updateDomain.ts';

type Dependencies = {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
};

export const domainHistoryRoutes = ({ database, now }: Dependencies): Route[] => [
  route(listDomainReports, ({ workspace, query }) => reports.listDomainReports(workspace, database, query)),

  route(getDomainReport, async ({ workspace, params }) => {
    return { data: (await reports.getDomainReport(workspace, database, params.domain)) ?? throwNoSuchDomain() };
  }),

  route(getDomainHistory, async ({ workspace, params, query }) => {
    return (await spans.getDomainHistory(workspace, database, params.domain, query)) ?? throwNoSuchDomain();
  }),

  route(listDomainChanges, ({ workspace, query }) => spans.listDomainChanges(workspace, database, query)),

  route(updateDomain, async ({ workspace, params, body, caller }) => {
    const report = await updating.updateDomain(workspace, database, params.domain, body, authorOf(caller), now());
    return { data: report ?? throwNoSuchDomain() };
  }),
];
