import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { listDomains } from '#contract/interface.ts';
import { normalizeDnsName } from '#contract/values/dnsName.ts';
import { listQuery } from '../api/apiQuery.ts';
import { useMatches } from '../table/useMatches.ts';
import type { PaletteOffer } from '../ui/page/actions.ts';
import { paths } from '../url/paths.ts';
import { domainQuery } from './queries.ts';

export function useDomainOffer(text: string): PaletteOffer {
  const navigate = useNavigate();
  const { rows, isSearching, error } = useMatches(text, {
    query: (query) => listQuery(listDomains, { query }),
    // No domain name contains a blank or an @.
    isEnabled: (term) => !/[\s@]/.test(term),
  });
  const start = text.trim().toLowerCase();
  const name = normalizeDnsName(start);
  const isExact = (domain: { name: string }) => name !== null && normalizeDnsName(domain.name) === name;
  // Of many that contain the text, only the newest are listed.
  const isAsked = name?.includes('.') === true && !isSearching && !rows.some(isExact);
  const exact = useQuery({ ...domainQuery(start), enabled: isAsked });
  // What begins with the text is meant more often than what contains it.
  const ranked = [...rows, ...(isAsked && exact.data ? [exact.data] : [])].toSorted(
    (one, other) => Number(other.name.startsWith(start)) - Number(one.name.startsWith(start)),
  );
  const options = ranked.map((domain) => ({
    id: `domain ${domain.uuid}`,
    label: domain.name,
    exact: isExact(domain) ? 'domain' : undefined,
    run: () => void navigate(paths.domain(domain.name)),
  }));
  return { groups: [{ title: 'Domains', options }], isSearching: isSearching || exact.isFetching, error };
}
