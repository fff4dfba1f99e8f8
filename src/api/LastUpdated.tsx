import { ActionIcon } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { usePageActions } from '../ui/page/actions.ts';
import { clockTime, localDateTime, useTimeZone } from '../ui/format/time.ts';
import { useDelayedFlag } from '../ui/page/useDelayedFlag.ts';
import classes from './LastUpdated.module.css';

type Props = {
  query: Pick<UseQueryResult, 'dataUpdatedAt' | 'isFetching' | 'failureCount'> & { refetch: () => Promise<unknown> };
};

export function LastUpdated({ query }: Props) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const zone = useTimeZone();
  const isBusy = useDelayedFlag(query.isFetching);
  const retrying = query.isFetching && query.failureCount > 0;
  const unread = query.isFetching ? 'Reading' : 'Not read';
  const { refetch } = query;
  const refresh = () => void refetch();
  usePageActions([{ id: 'refresh', label: 'Refresh', run: refresh }]);
  return (
    <span className={classes.asOf}>
      <span title={`Times are in ${zone}`}>
        {retrying
          ? `Retrying (${query.failureCount + 1} of 3)`
          : query.dataUpdatedAt > 0
            ? asOf(query.dataUpdatedAt, zone)
            : unread}
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Refresh"
        title="Refresh"
        data-busy={isBusy || undefined}
        className={classes.refresh}
        onClick={refresh}
      >
        <IconRefresh size={16} />
      </ActionIcon>
    </span>
  );
}

const asOf = (moment: number, zone: string) => (
  <>
    As of <time data-printed-as={localDateTime(moment, zone)}>{clockTime(moment, zone)}</time>
  </>
);
