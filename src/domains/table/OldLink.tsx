import { useLayoutEffect } from 'react';
import { useUrlQuery } from '../../url/urlState.ts';
import { translateOldLink } from './oldLinks.ts';

/** Leads an old link to what it asked for. */
export function OldLink(): null {
  const [, replace] = useUrlQuery();
  useLayoutEffect(() => {
    replace((now) => translateOldLink(now), { replace: true });
  });
  return null;
}
