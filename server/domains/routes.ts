import { listAddresses } from '#contract/addresses.ts';
import { filteredDomains, getDomainSummary } from '#contract/additions.ts';
import { getDomain } from '#contract/openapi/otherClients.ts';
import { checkDomain } from '#contract/dnsCheck.ts';
import { listDomainAddresses, listDomains } from '#contract/interface.ts';
import type { Database } from '../database/database.ts';
import { type Route, route } from '../http/route.ts';
import { type LiveChecks, storedDomainSubject, throwTooManyChecks } from './liveChecks.ts';
import { summarizeDomains } from './countStates.ts';
import { throwNoSuchDomain } from './noSuchDomain.ts';
import * as addresses from './listAddresses.ts';
import * as store from './store.ts';

type Dependencies = { database: Database; checks: LiveChecks; withAdditions: boolean };

export const domainRoutes = ({ database, checks, withAdditions }: Dependencies): Route[] => [
  route(withAdditions ? filteredDomains : listDomains, ({ workspace, query }) =>
    store.listDomains(workspace, database, query),
  ),

  route(getDomainSummary, async ({ workspace }) => ({ data: await summarizeDomains(workspace, database) })),

  route(getDomain, async ({ workspace, params }) => {
    return { data: (await store.getDomain(workspace, database, params.domain)) ?? throwNoSuchDomain() };
  }),

  route(listDomainAddresses, async ({ workspace, params, query }) => {
    return (await store.listDomainAddresses(workspace, database, params.domain, query)) ?? throwNoSuchDomain();
  }),

  route(listAddresses, ({ workspace, query }) => addresses.listAddresses(workspace, database, query)),

  route(checkDomain, async ({ workspace, params, signal }) => {
    const domain = (await store.getDomainToCheck(workspace, database, params.domain)) ?? throwNoSuchDomain();
    return checks.follow(storedDomainSubject(workspace, database, domain), signal) ?? throwTooManyChecks();
  }),
];
