import { useQuery } from '@tanstack/react-query';
import { listViews } from '#contract/savedViews.ts';
import { foldText } from '#contract/words/foldText.ts';
import { useCapability } from '../../session/useSession.ts';
import type { PaletteOffer } from '../../ui/page/actions.ts';
import { useOpenPage } from '../../url/Link.tsx';
import { OPENED_VIEW } from '../../url/paths.ts';
import { pathOfView } from './viewLink.ts';
import { viewsQuery } from './viewsQuery.ts';

export function useViewOffer(text: string): PaletteOffer {
  const openPage = useOpenPage();
  const { data, isLoading, error } = useQuery({ ...viewsQuery(), enabled: useCapability(listViews) });
  const word = foldText(text);
  const found = word === '' ? [] : (data?.data ?? []).filter(({ name }) => foldText(name ?? '').includes(word));
  const options = found.map((view) => ({
    id: `view ${view.uuid}`,
    label: view.name ?? '',
    ...(view.shared === true && { detail: 'shared' }),
    exact: foldText(view.name ?? '') === word ? 'view' : undefined,
    run: () => openPage(pathOfView(view), OPENED_VIEW),
  }));
  return { groups: [{ title: 'Views of contacts', options }], isSearching: isLoading, error };
}
