import type { ReadableDomain } from '#contract/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery, PER_PAGE_MAX, SEARCH_MAX, type ListQuery } from '#contract/list.ts';
import { ProblemError } from '../http/problems.ts';
import type { Upstream, UpstreamCall } from './upstream.ts';

/** With full pages, 10,000 domains. */
const PAGES_MAX = 100;
const NAMES_MAX = 20_000;

type ListCall = Omit<UpstreamCall, 'params' | 'search'>;

/**
 * Finds domains by UUID. The interface has no "get domain": the pages of the list are walked, and the names on them are
 * remembered, so that the next domain is found by a search for its name. Whether it is there, and what it is, the
 * service says each time.
 */
export class DomainFinder {
  readonly #upstream: Upstream;
  /** By caller and UUID, the oldest first: what one has seen is no help to another. */
  readonly #names = new Map<string, string>();

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** The domain with this UUID among those that `caller` may see, or null. Throws a `ProblemError`. */
  async find(uuid: string, caller: string, asking: ListCall): Promise<ReadableDomain | null> {
    const name = this.#names.get(keyOf(caller, uuid));
    const named = name === undefined ? undefined : withUuid(uuid, (await this.#read({ search: name }, asking)).data);
    return named ?? this.#walk(uuid, caller, asking);
  }

  async #walk(uuid: string, caller: string, asking: ListCall): Promise<ReadableDomain | null> {
    for (let page = 1; page <= PAGES_MAX; page++) {
      const { data, meta } = await this.#read({ page }, asking);
      for (const domain of data) this.#remember(keyOf(caller, domain.uuid), domain.name);
      const found = withUuid(uuid, data);
      if (found !== undefined) return found;
      if (!meta.has_next) return null;
      if (meta.current_page !== page) break;
    }
    throw new ProblemError(502, 'The service behind the gateway lists more domains than can be walked through.');
  }

  #read(query: ListQuery, asking: ListCall) {
    const search = formatListQuery({ page: 1, per_page: PER_PAGE_MAX, ...query });
    return this.#upstream.read(listDomains, { ...asking, params: {}, search: search.toString() });
  }

  #remember(key: string, name: string): void {
    if (name.length > SEARCH_MAX) return;
    this.#names.delete(key);
    this.#names.set(key, name);
    if (this.#names.size <= NAMES_MAX) return;
    const [oldest = ''] = this.#names.keys();
    this.#names.delete(oldest);
  }
}

const keyOf = (caller: string, uuid: string) => `${caller} ${uuid.toLowerCase()}`;

const withUuid = (uuid: string, domains: readonly ReadableDomain[]) =>
  domains.find((domain) => domain.uuid.toLowerCase() === uuid.toLowerCase());
