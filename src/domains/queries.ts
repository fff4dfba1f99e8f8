import { queryOptions } from '@tanstack/react-query';
import { normalizeDnsName } from '#contract/values/dnsName.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { UUID } from '#contract/values/field.ts';
import { listDomainAddresses, listDomains } from '#contract/interface.ts';
import { toUnicodeDomain } from '#contract/values/internationalDomain.ts';
import { PER_PAGE_MAX, SEARCH_MAX } from '#contract/list.ts';
import { ApiError } from '../api/ApiError.ts';
import { listQuery } from '../api/apiQuery.ts';
import { request } from '../api/client.ts';
import type { ListState } from '../table/useList.ts';

/** Pages read at most. A service with more has ignored the search. */
const WALK_LIMIT = 50;

/** The domain with this name, in any spelling, or UUID; or null. The interface has no "get domain", so this searches. */
export const domainQuery = (name: string) =>
  queryOptions({
    queryKey: ['domain', name],
    queryFn: async ({ signal }): Promise<ReadableDomain | null> => {
      // A search matches names, so it finds no UUID.
      const isUuid = UUID.test(name);
      const isWanted = (domain: ReadableDomain) =>
        isUuid ? domain.uuid.toLowerCase() === name.toLowerCase() : toComparable(domain.name) === toComparable(name);
      for (const spelling of isUuid ? [''] : spellings(name)) {
        // A name may be longer than a search may be.
        const found = await findDomain(spelling.slice(0, SEARCH_MAX), isWanted, signal);
        if (found !== null) return found;
      }
      return null;
    },
  });

const toComparable = (name: string) => normalizeDnsName(name) ?? name.toLowerCase();

/** A service finds a name by the spelling that it stores. A name of ASCII without `xn--` has only one. */
function spellings(name: string): Set<string> {
  const typed = name.replace(/\.$/, '');
  const ascii = normalizeDnsName(name);
  if (ascii === null || (ascii === typed.toLowerCase() && !ascii.includes('xn--'))) return new Set([typed]);
  const unicode = toUnicodeDomain(ascii);
  return new Set([typed, unicode, ascii, unicode.normalize('NFD')]);
}

async function findDomain(
  search: string,
  isWanted: (domain: ReadableDomain) => boolean,
  signal: AbortSignal,
): Promise<ReadableDomain | null> {
  for (let page = 1; page <= WALK_LIMIT; page++) {
    const query = { page, per_page: PER_PAGE_MAX, search };
    const { data, meta } = await request(listDomains, { query }, signal);
    const found = data.find(isWanted);
    if (found !== undefined) return found;
    if (!meta.has_next) return null;
    if (meta.current_page !== page) break;
  }
  throw new ApiError('unreadable', 'Too many domains match this name.');
}

/** The addresses of a domain. The interface has no sorting for them. */
export const addressesQuery = (domain: string, { page, perPage }: Pick<ListState, 'page' | 'perPage'>) =>
  listQuery(listDomainAddresses, { domain, query: { page, per_page: perPage } });
