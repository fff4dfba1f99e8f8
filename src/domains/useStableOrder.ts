import { useState } from 'react';
import type { MatrixRow } from './matrix.ts';

/**
 * The order of `arranged` at the last change of `occasion`, with the current contents of `rows`: rows keep their places
 * when results come in. `isSettled` says whether the order is still current; `settle` makes it so.
 */
export function useStableOrder(arranged: readonly MatrixRow[], rows: readonly MatrixRow[], occasion: string) {
  const current = arranged.map(({ domain }) => domain.uuid);
  const [settled, setSettled] = useState({ occasion, uuids: current });
  if (settled.occasion !== occasion) setSettled({ occasion, uuids: current });
  const byUuid = new Map(rows.map((row) => [row.domain.uuid, row]));
  return {
    shown: settled.uuids.flatMap((uuid) => byUuid.get(uuid) ?? []),
    isSettled: settled.uuids.join() === current.join(),
    settle: () => setSettled({ occasion, uuids: current }),
  };
}
