import { useQuery } from '@tanstack/react-query';
import { listUnsubscribeBursts } from '#contract/suppressions/unsubscribeBursts.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import { useSetting, writeSetting } from '../../ui/page/settings.ts';

/** Unsubscribes that were perhaps nobody's will, newest first, without those that were there when somebody hid them in this browser. */
export function useBursts() {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const query = useQuery({ ...apiQuery(listUnsubscribeBursts, {}), enabled: useCapability(listUnsubscribeBursts) });
  const setting = `bursts-hidden-${useSession().workspace_uuid}`;
  const hidden = useSetting(setting) ?? '';
  const bursts = query.data?.data.filter(({ from }) => (from ?? '') > hidden) ?? [];
  return { query, bursts, hide: () => writeSetting(setting, bursts[0]?.from ?? null) };
}
