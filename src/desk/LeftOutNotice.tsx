import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { formatCount } from '../ui/formatCount.ts';
import { Notice } from '../ui/Notice.tsx';
import classes from './DeskStages.module.css';
import { isSelectable } from './entry.ts';
import { isLeftOut } from './entryFilter.ts';
import type { EntryList } from './entryList.ts';
import { useTicks } from './useTicks.tsx';

/** The entries that were left out when the list was read, and a way to take them in. */
export function LeftOutNotice({ entries, onShow }: { entries: EntryList; onShow: () => void }) {
  const ticks = useTicks(true);
  const affected = useMemo(() => entries.filter((entry) => entry.leftOut !== null && isSelectable(entry)), [entries]);
  const out = affected.filter(isLeftOut);
  if (affected.length === 0) return null;
  const title =
    out.length === 0
      ? `${formatCount(affected.length)} of your own addresses will be unsubscribed`
      : `${formatCount(out.length)} of your own addresses left out`;
  return (
    <Notice
      tone={out.length === 0 ? 'warn' : 'neutral'}
      title={title}
      actions={
        <span className={classes.actions}>
          {out.length > 0 && (
            <Button variant="default" size="xs" onClick={onShow}>
              Show them
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => ticks?.tick(affected, out.length > 0)}>
            {out.length === 0 ? 'Leave them out' : 'Unsubscribe them too'}
          </Button>
        </span>
      }
    />
  );
}
