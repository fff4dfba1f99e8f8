import { useNavigate } from 'react-router';
import { listDomains } from '#contract/interface.ts';
import { listQuery } from '../api/apiQuery.ts';
import { useMatches } from '../table/useMatches.ts';
import type { PaletteOffer } from '../ui/page/actions.ts';
import { paths } from '../url/paths.ts';

export function useDomainOffer(text: string): PaletteOffer {
  const navigate = useNavigate();
  const { rows, isSearching, error } = useMatches(text, {
    query: (query) => listQuery(listDomains, { query }),
    // No domain name contains a blank or an @.
    isEnabled: (term) => !/[\s@]/.test(term),
  });
  const options = rows.map(({ uuid, name }) => ({
    id: `domain ${uuid}`,
    label: name,
    run: () => void navigate(paths.domain(name)),
  }));
  return { groups: [{ title: 'Domains', options }], isSearching, error };
}
