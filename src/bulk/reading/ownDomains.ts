import { listDomains } from '#contract/interface.ts';
import { ApiError } from '../../api/ApiError.ts';
import { request } from '../../api/client.ts';
import { toAsciiAddress, toUnicodeDomain } from '#contract/values/internationalDomain.ts';
import { queryClient } from '../../session/queryClient.ts';
import { sessionQuery } from '../../session/session.ts';
import { readAllRows } from '../../table/export/readAllRows.ts';
import { formatCount } from '../../ui/format/formatCount.ts';

/** Milliseconds. Domains rarely change. */
const FRESH_FOR = 5 * 60_000;
/** More would take too long: each hundred is a request. */
const DOMAINS_MAX = 10_000;

/** `names` are ASCII. `note`: a sentence if not all are known. */
export type OwnDomains = { names: ReadonlySet<string>; note: string | null };

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
      note: `Could not load your domains, so your own addresses are not left out. ${error.message}`,
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

/** The email of the signed-in person; null for a token. */
export const readOwnEmail = (): string | null => queryClient.getQueryData(sessionQuery.queryKey)?.person?.email ?? null;

const AT_OWN_DOMAIN = 'At your own domain';
const OWN_EMAIL = 'Your own address';

/** Why an address is left out as one of your own; null if it is not. */
export function describeOwnAddress(
  address: string,
  names: ReadonlySet<string>,
  ownEmail: string | null,
): string | null {
  if (ownEmail !== null && toComparable(address) === toComparable(ownEmail)) return OWN_EMAIL;
  const domain = findOwnDomain(address, names);
  return domain === null ? null : `${AT_OWN_DOMAIN} ${toUnicodeDomain(domain)}`;
}

export const isOwnAddress = ({ leftOut }: { leftOut: string | null }): boolean =>
  leftOut !== null && (leftOut === OWN_EMAIL || leftOut.startsWith(AT_OWN_DOMAIN));

const toComparable = (address: string): string => toAsciiAddress(address.toLowerCase());

/** The domain among `names` that contains the address. */
function findOwnDomain(address: string, names: ReadonlySet<string>): string | null {
  if (!address.includes('@')) return null;
  const ascii = toComparable(address);
  const labels = ascii.slice(ascii.lastIndexOf('@') + 1).split('.');
  return labels.map((_, index) => labels.slice(index).join('.')).find((domain) => names.has(domain)) ?? null;
}
