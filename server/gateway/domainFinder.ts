import { LRUCache } from 'lru-cache';
import type { ReadableDomain } from '#contract/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery, PER_PAGE_MAX, SEARCH_MAX, type ListQuery } from '#contract/list.ts';
import { ProblemError } from '../http/problems.ts';
import type { Upstream, UpstreamCall } from './upstream.ts';

/** With full pages, that is 10,000 domains. */
const PAGES_MAX = 100;
const NAMES_MAX = 20_000;

type ListCall = Omit<UpstreamCall, 'params' | 'search'>;

/**
 * Finds domains of the service by UUID. The interface has no "get domain": the pages of the list are read, and the
 * names on them are cached, so that the next time a search for the name is enough. The domain itself is fetched each
 * time.
 */
export class DomainFinder {
  readonly #upstream: Upstream;
  /** Names by principal and UUID. Not shared between principals. */
  readonly #names = new LRUCache<string, string>({ max: NAMES_MAX });

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** The domain with this UUID that `principal` can see, or null. Throws a `ProblemError`. */
  async find(uuid: string, principal: string, call: ListCall): Promise<ReadableDomain | null> {
    const name = this.#names.get(keyOf(principal, uuid));
    const named = name === undefined ? undefined : withUuid(uuid, (await this.#read({ search: name }, call)).data);
    return named ?? this.#walk(uuid, principal, call);
  }

  async #walk(uuid: string, principal: string, call: ListCall): Promise<ReadableDomain | null> {
    for (let page = 1; page <= PAGES_MAX; page++) {
      const { data, meta } = await this.#read({ page }, call);
      for (const listed of data) {
        if (listed.name.length <= SEARCH_MAX) this.#names.set(keyOf(principal, listed.uuid), listed.name);
      }
      const found = withUuid(uuid, data);
      if (found !== undefined) return found;
      if (!meta.has_next) return null;
      if (meta.current_page !== page) break;
    }
    throw new ProblemError(502, 'The service behind the gateway has too many domains to search.');
  }

  #read(query: ListQuery, call: ListCall) {
    const search = formatListQuery({ page: 1, per_page: PER_PAGE_MAX, ...query });
    return this.#upstream.read(listDomains, { ...call, params: {}, search: search.toString() });
  }
}

const keyOf = (principal: string, uuid: string) => `${principal} ${uuid.toLowerCase()}`;

const withUuid = (uuid: string, domains: readonly ReadableDomain[]) =>
  domains.find((domain) => domain.uuid.toLowerCase() === uuid.toLowerCase());
