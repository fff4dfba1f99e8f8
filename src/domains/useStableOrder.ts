import { useState } from 'react';
import type { MatrixRow } from './matrix.ts';

/**
 * `arranged` as it was at the last `occasion`: rows do not jump about under the pointer when something becomes known. What
 * they say is always the newest.
 */
export function useStableOrder(arranged: readonly MatrixRow[], rows: readonly MatrixRow[], occasion: string) {
  const now = arranged.map(({ domain }) => domain.uuid);
  const [settled, setSettled] = useState({ occasion, uuids: now });
  if (settled.occasion !== occasion) setSettled({ occasion, uuids: now });
  const byUuid = new Map(rows.map((row) => [row.domain.uuid, row]));
  return {
    shown: settled.uuids.flatMap((uuid) => byUuid.get(uuid) ?? []),
    isSettled: settled.uuids.join() === now.join(),
    settle: () => setSettled({ occasion, uuids: now }),
  };
}
