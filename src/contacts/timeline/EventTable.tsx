import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReadableEvent } from '#contract/event.ts';
import type { Page } from '#contract/list.ts';
import { DataTable, type Column } from '../../table/DataTable.tsx';
import type { ListControl } from '../../table/useList.ts';
import { formatJson } from '../../ui/format/json.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { JsonView } from '../../ui/values/JsonView.tsx';
import { EndCut, UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from './Story.module.css';

export const eventColumns: readonly Column<ReadableEvent>[] = [
  {
    id: 'created_at',
    header: 'Time',
    cell: (event) => <DateTime value={event.created_at} show="local" />,
    width: 232,
  },
  {
    id: 'event_name',
    header: 'Event',
    cell: (event) => <EndCut text={event.event_name} />,
    width: 140,
  },
  { id: 'attributes', header: 'Attributes', cell: (event) => <Payload event={event} /> },
];

type Props = {
  query: UseQueryResult<Page<ReadableEvent>>;
  list: ListControl;
  empty: ReactNode;
  pager: ReactNode;
};

export function EventTable({ query, list, empty, pager }: Props) {
  return (
    <DataTable
      what="events"
      columns={eventColumns}
      query={query}
      list={list}
      keepsRows
      choosable
      empty={empty}
      pager={pager}
    />
  );
}

function Payload({ event }: { event: ReadableEvent }) {
  return (
    <span className={classes.cell}>
      <details>
        <summary>
          <code>
            <UntrustedText text={formatJson(event.attributes ?? {}, 0)} />
          </code>
        </summary>
        <code>
          <JsonView value={event.attributes ?? {}} />
        </code>
      </details>
      <CopyButton value={formatJson(event)} what="event as JSON" />
    </span>
  );
}
