import { queryOptions } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domain.ts';
import { UUID } from '#contract/field.ts';
import { listDomainAddresses, listDomains } from '#contract/interface.ts';
import { PER_PAGE_MAX, SEARCH_MAX } from '#contract/list.ts';
import { ApiError } from '../api/ApiError.ts';
import { listQuery } from '../api/apiQuery.ts';
import { request } from '../api/client.ts';
import type { ListState } from '../table/listState.ts';

/** Pages that are read at most. A service with more has ignored the search. */
const WALK_LIMIT = 50;
const UNWALKABLE =
  'The service lists more domains for this name than can be walked through, so nobody can say whether it is among them.';

/** The domain with this name or UUID, or null. The interface has no "get domain": the pages of a search are read. */
export const domainQuery = (name: string) =>
  queryOptions({
    queryKey: ['domain', name],
    queryFn: async ({ signal }): Promise<ReadableDomain | null> => {
      const wanted = name.toLowerCase();
      // A search matches names, and a name may be longer than a search may be.
      const search = UUID.test(name) ? '' : name.slice(0, SEARCH_MAX);
      for (let page = 1; page <= WALK_LIMIT; page++) {
        const query = { page, per_page: PER_PAGE_MAX, search };
        const { data, meta } = await request(listDomains, { query }, signal);
        const found = data.find((domain) => domain.name.toLowerCase() === wanted || domain.uuid === wanted);
        if (found !== undefined) return found;
        if (!meta.has_next) return null;
        if (meta.current_page !== page) break;
      }
      throw new ApiError('unreadable', UNWALKABLE);
    },
  });

/** The addresses of a domain. The interface has no sorting for them. */
export const addressesQuery = (domain: string, { page, perPage }: ListState) =>
  listQuery(listDomainAddresses, { domain, query: { page, per_page: perPage } });
