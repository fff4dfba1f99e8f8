import { checkDomain } from '#contract/additions.ts';
import { listDomainAddresses, listDomains } from '#contract/interface.ts';
import { Refusal } from '../problems.ts';
import { route } from '../route.ts';
import * as store from './store.ts';

/** Four domains leave the queue at least as often as this, so that there is room again. */
const RETRY_SECONDS = 10;

export const domainRoutes = [
  route(listDomains, ({ workspace, query }, { database }) => store.listDomains(workspace, database, query)),

  route(listDomainAddresses, async ({ workspace, params, query }, { database }) => {
    const page = await store.listAddresses(workspace, database, params.domain, query);
    if (page === null) throw new Refusal(404, 'There is no such domain in this workspace.');
    return page;
  }),

  route(checkDomain, async ({ workspace, params, signal }, { database, checks }) => {
    const domain = await store.getDomain(workspace, database, params.domain);
    if (domain === null) throw new Refusal(404, 'There is no such domain in this workspace.');
    const lines = checks.follow(workspace, domain, signal);
    if (lines === null) {
      throw new Refusal(429, `Too many domains wait to be checked. Try again in ${RETRY_SECONDS} seconds.`, {
        headers: { 'retry-after': String(RETRY_SECONDS) },
      });
    }
    return lines;
  }),
];
