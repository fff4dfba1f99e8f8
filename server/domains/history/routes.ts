import {
  ACCEPTED_DAYS_MAX,
  acceptFault,
  endAcceptance,
  getDomainHistory,
  getDomainReport,
  listAcceptances,
  listDomainChanges,
  listIncidents,
  updateDomain,
} from '#contract/domains/domainHistory.ts';
import { listDomainReports } from '#contract/domains/domainReport.ts';
import { authorOf } from '../../database/changeLog/author.ts';
import type { Database } from '../../database/database.ts';
import { ProblemError, validationProblem } from '../../http/problems.ts';
import { type Route, route } from '../../http/route.ts';
import { throwNoSuchDomain } from '../noSuchDomain.ts';
import * as acceptances from './acceptances.ts';
import * as incidents from './listIncidents.ts';
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

  route(listIncidents, ({ workspace, query }) => incidents.listIncidents(workspace, database, query)),

  route(listAcceptances, ({ workspace, query }) => acceptances.listAcceptances(workspace, database, query)),

  route(acceptFault, async ({ workspace, params, body, caller }) => {
    const time = now();
    const fault = { ...body, until: parseEnd(body.until, time) };
    const author = authorOf(caller);
    const accepted = await acceptances.acceptFault(workspace, database, params.domain, fault, author, time);
    if (accepted === 'other') {
      throw new ProblemError(409, 'The last check didn’t find this fault. Check the domain again.');
    }
    return { data: accepted ?? throwNoSuchDomain() };
  }),

  route(endAcceptance, async ({ workspace, params, caller }) => {
    const ended = await acceptances.endAcceptance(workspace, database, params.acceptance, authorOf(caller), now());
    if (ended === null) throw new ProblemError(404, 'There is no such acceptance in this workspace.');
    return { data: ended };
  }),
];

const DAY = 24 * 60 * 60_000;

/** In milliseconds. Throws a `ProblemError` for a time that is past, or too far ahead. */
function parseEnd(text: string, now: number): number {
  const time = Date.parse(text);
  if (time > now && time <= now + ACCEPTED_DAYS_MAX * DAY) return time;
  const message = `until must be in the future, and at most ${ACCEPTED_DAYS_MAX} days ahead.`;
  throw validationProblem([{ field: 'until', message }]);
}
