import { listDomains } from '#contract/interface.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { toAsciiAddress } from '../contact/internationalDomain.ts';
import { queryClient } from '../session/queryClient.ts';
import { readAllRows } from '../table/readAllRows.ts';
import { formatCount } from '../ui/formatCount.ts';

/** Milliseconds for which the domains are kept. Domains are added seldom. */
const FRESH_FOR = 5 * 60_000;
/** More would keep the user waiting: each hundred is a request. */
const DOMAINS_MAX = 10_000;

/** The domains of the workspace in ASCII; `note` is a sentence where not all are known. */
export type OwnDomains = { names: ReadonlySet<string>; note: string | null };

/** Reads the domains of the workspace, all pages, and keeps them for some minutes. */
export async function readOwnDomains(): Promise<OwnDomains> {
  try {
    return await queryClient.fetchQuery({
      queryKey: ['own domains'],
      staleTime: FRESH_FOR,
      queryFn: ({ signal }) => readAll(signal),
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      names: new Set(),
      note: `Your domains could not be read, so your own addresses are not left out. ${error.message}`,
    };
  }
}

async function readAll(signal: AbortSignal): Promise<OwnDomains> {
  const names = new Set<string>();
  const read = (page: number, per_page: number) => request(listDomains, { query: { page, per_page } }, signal);
  for await (const { rows } of readAllRows(read)) {
    for (const { name } of rows) names.add(toAsciiAddress(`@${name.toLowerCase()}`).slice(1));
    if (names.size > DOMAINS_MAX) {
      return { names, note: `Only addresses at your newest ${formatCount(DOMAINS_MAX)} domains are left out.` };
    }
  }
  return { names, note: null };
}

const LEFT_OUT = 'At your own domain';

export const describeOwnDomain = (domain: string): string => `${LEFT_OUT} ${domain}`;

/** Whether an entry was left out because it is at a domain of the workspace. */
export const isOwnAddress = ({ leftOut }: { leftOut: string | null }): boolean =>
  leftOut?.startsWith(LEFT_OUT) ?? false;

/** The domain among `names` that an address is at, or at a subdomain of; null where it is at none. */
export function findOwnDomain(address: string, names: ReadonlySet<string>): string | null {
  if (!address.includes('@')) return null;
  const ascii = toAsciiAddress(address.toLowerCase());
  const labels = ascii.slice(ascii.lastIndexOf('@') + 1).split('.');
  return labels.map((_, index) => labels.slice(index).join('.')).find((domain) => names.has(domain)) ?? null;
}
