import type { ReadableDomain } from '#contract/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery, PER_PAGE_MAX } from '#contract/list.ts';
import { Refusal } from '../problems.ts';
import type { Upstream, UpstreamCall } from './upstream.ts';

/** With full pages, 10,000 domains. */
const PAGES_MAX = 100;

/** The domain with this UUID, or null. The interface has no "get domain": the pages of the list are walked. Throws a `Refusal`. */
export async function findDomain(
  upstream: Upstream,
  uuid: string,
  call: Omit<UpstreamCall, 'params' | 'search'>,
): Promise<ReadableDomain | null> {
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = { page, per_page: PER_PAGE_MAX, sorting: [{ id: 'name', desc: false }] };
    const search = formatListQuery(query).toString();
    const { data, meta } = await upstream.read(listDomains, { ...call, params: {}, search });
    const found = data.find((domain) => domain.uuid.toLowerCase() === uuid.toLowerCase());
    if (found !== undefined) return found;
    if (!meta.has_next) return null;
    if (meta.current_page !== page) break;
  }
  throw new Refusal(502, 'The service behind the gateway lists more domains than can be walked through.');
}
