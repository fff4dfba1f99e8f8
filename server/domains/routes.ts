import { checkDomain } from '#contract/additions.ts';
import { listDomainAddresses, listDomains } from '#contract/interface.ts';
import { ProblemError } from '../http/problems.ts';
import { route } from '../http/route.ts';
import { storedDomainSubject } from './runLiveCheck.ts';
import { throwTooManyChecks } from './liveChecks.ts';
import * as store from './store.ts';

export const domainRoutes = [
  route(listDomains, ({ workspace, query }, { database }) => store.listDomains(workspace, database, query)),

  route(listDomainAddresses, async ({ workspace, params, query }, { database }) => {
    const page = await store.listAddresses(workspace, database, params.domain, query);
    if (page === null) throw new ProblemError(404, 'There is no such domain in this workspace.');
    return page;
  }),

  route(checkDomain, async ({ workspace, params, signal }, { database, checks }) => {
    const domain = await store.getDomain(workspace, database, params.domain);
    if (domain === null) throw new ProblemError(404, 'There is no such domain in this workspace.');
    return checks.follow(storedDomainSubject(workspace, database, domain), signal) ?? throwTooManyChecks();
  }),
];
