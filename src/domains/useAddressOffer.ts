import { useNavigate } from 'react-router';
import { listAddresses } from '#contract/addresses.ts';
import { listQuery } from '../api/apiQuery.ts';
import { useCapability } from '../session/useSession.ts';
import { useMatches } from '../table/useMatches.ts';
import type { PaletteOffer } from '../ui/page/actions.ts';
import { paths } from '../url/paths.ts';

/** Opens the domain of an address. */
export function useAddressOffer(text: string): PaletteOffer {
  const navigate = useNavigate();
  const canList = useCapability(listAddresses);
  const { rows, isSearching, error } = useMatches(text, {
    query: (query) => listQuery(listAddresses, { query: { ...query, sorting: [{ id: 'full_address', desc: false }] } }),
    isEnabled: () => canList,
  });
  const options = rows.map(({ uuid, full_address, display_name, domain_name }) => ({
    id: `address ${uuid}`,
    label: full_address ?? domain_name,
    ...(display_name && { detail: display_name }),
    exact: full_address?.toLowerCase() === text.trim().toLowerCase() ? 'sender address' : undefined,
    run: () => void navigate(paths.domain(domain_name)),
  }));
  return { groups: [{ title: 'Sender addresses', options }], isSearching, error };
}
