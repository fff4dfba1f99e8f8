import { useQuery } from '@tanstack/react-query';
import { getRunSettings } from '#contract/runs/runs.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import { formatCount } from '../../ui/format/formatCount.ts';

/**
 * What approval a list needs, before it begins: null if none. It has `least` contacts, or up to `most` where some are unchecked.
 * `isDenied`: no one can approve it.
 */
export function useApproval(least: number, most: number): { note: string | null; isDenied: boolean } {
  const { data } = useQuery({ ...apiQuery(getRunSettings, {}), enabled: useCapability(getRunSettings) });
  const { person } = useSession();
  const above = data?.data.approval_above ?? null;
  if (above === null || most <= above) return { note: null, isDenied: false };
  const rule = `A second person approves a list of more than ${formatCount(above)} ${above === 1 ? 'contact' : 'contacts'}`;
  if (person !== null)
    return { note: `${rule}, on the page Runs. It waits for that before anyone is unsubscribed.`, isDenied: false };
  const note = `${rule}, but no one can approve what a token started. Sign in with an account, and read the list there.`;
  return { note, isDenied: least > above };
}
