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
  // What begins with the text is meant more often than what contains it.
  const start = text.trim().toLowerCase();
  const ranked = rows.toSorted(
    (one, other) => Number(other.name.startsWith(start)) - Number(one.name.startsWith(start)),
  );
  const options = ranked.map(({ uuid, name }) => ({
    id: `domain ${uuid}`,
    label: name,
    run: () => void navigate(paths.domain(name)),
  }));
  return { groups: [{ title: 'Domains', options }], isSearching, error };
}
