import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { getOverview } from '#contract/overview.ts';
import { useCapability } from '../session/useSession.ts';
import { paths } from '../url/paths.ts';
import { useOwnUrl } from '../url/urlState.ts';
import { OverviewPage } from './OverviewPage.tsx';

export function StartPage() {
  return useCapability(getOverview) ? <OverviewPage /> : <ToContacts />;
}

/** Unless the user has already gone to another page. */
function ToContacts(): null {
  const navigate = useNavigate();
  const readUrl = useOwnUrl();
  const go = useEffectEvent(() => {
    if (readUrl() !== null) void navigate(paths.contacts, { replace: true });
  });
  useEffect(() => go(), []);
  return null;
}
