import { ActionIcon } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { clockTime, localZone } from '../ui/time.ts';
import classes from './AsOf.module.css';

/** "As of 14:02" and a button that reads again: a page never looks more live than it is. */
export function AsOf({
  query,
}: {
  query: Pick<UseQueryResult, 'dataUpdatedAt' | 'isFetching' | 'failureCount' | 'refetch'>;
}) {
  const retrying = query.isFetching && query.failureCount > 0;
  return (
    <span className={classes.asOf}>
      <span title={`Times are in ${localZone}`}>
        {retrying
          ? `Retrying (${query.failureCount + 1} of 3)`
          : query.dataUpdatedAt > 0
            ? `As of ${clockTime(query.dataUpdatedAt)}`
            : 'Reading'}
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Refresh"
        title="Refresh"
        data-busy={query.isFetching || undefined}
        className={classes.refresh}
        onClick={() => void query.refetch()}
      >
        <IconRefresh size={16} />
      </ActionIcon>
    </span>
  );
}
