import { listAddresses } from '#contract/addresses.ts';
import { filteredDomains, getDomainSummary } from '#contract/additions.ts';
import { getDomain } from '#contract/openapi/otherClients.ts';
import { checkDomain } from '#contract/domains/dnsCheck.ts';
import { listDomainAddresses, listDomains } from '#contract/interface.ts';
import { type Route, route } from '../http/route.ts';
import { followStored, type StoredChecks, throwTooManyChecks } from './checks/liveChecks.ts';
import { summarizeDomains } from './countStates.ts';
import { throwNoSuchDomain } from './noSuchDomain.ts';
import * as addresses from './listAddresses.ts';
import * as store from './store.ts';

type Dependencies = { stored: StoredChecks; withAdditions: boolean };

export const domainRoutes = ({ stored, withAdditions }: Dependencies): Route[] => [
  route(withAdditions ? filteredDomains : listDomains, ({ workspace, query }) =>
    store.listDomains(workspace, stored.database, query),
  ),

  route(getDomainSummary, async ({ workspace }) => ({ data: await summarizeDomains(workspace, stored.database) })),

  route(getDomain, async ({ workspace, params }) => {
    return { data: (await store.getDomain(workspace, stored.database, params.domain)) ?? throwNoSuchDomain() };
  }),

  route(listDomainAddresses, async ({ workspace, params, query }) => {
    return (await store.listDomainAddresses(workspace, stored.database, params.domain, query)) ?? throwNoSuchDomain();
  }),

  route(listAddresses, ({ workspace, query }) => addresses.listAddresses(workspace, stored.database, query)),

  route(checkDomain, async ({ workspace, params, signal }) => {
    const domain = (await store.getDomainToCheck(workspace, stored.database, params.domain)) ?? throwNoSuchDomain();
    return followStored(stored, workspace, domain, signal) ?? throwTooManyChecks();
  }),
];
