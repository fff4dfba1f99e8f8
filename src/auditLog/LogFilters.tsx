import { NativeSelect } from '@mantine/core';
import { LOG_FILTERS, type ReadableLogLine } from '#contract/auditLog.ts';
import { describeActor } from '../identity/describeChange.ts';
import { Chosen } from '../table/filters/Chosen.tsx';
import { DayRange } from '../table/filters/DayRange.tsx';
import classes from '../table/filters/Filters.module.css';
import type { ListControl } from '../table/useList.ts';
import { labelOr } from '../ui/format/labelOr.ts';
import { ACTION_LABELS } from './describeLine.ts';

type Props = {
  list: ListControl;
  /** The page's entries, for the names of filtered actors and contacts. */
  lines: readonly ReadableLogLine[] | undefined;
};

/** An import's line of a contact is of one action, whatever it changed. */
const FILTER_LABELS = {
  ...ACTION_LABELS,
  unsubscribe: 'Unsubscribed (not by an import)',
  import: 'Contact changed or unsubscribed by an import',
};

export function LogFilters({ list, lines }: Props) {
  const { filters } = list.state;
  const text = (name: string) => (typeof filters[name] === 'string' ? filters[name] : '');
  const actor = lines?.find(
    (line) => line.actor !== null && (line.actor.uuid ?? line.actor.kind) === text('actor'),
  )?.actor;
  const contact = lines?.find((line) => line.contact?.uuid === text('contact'))?.contact;
  return (
    <div className={classes.filters} role="group" aria-label="Filters" tabIndex={-1}>
      <NativeSelect
        size="xs"
        aria-label="What happened"
        value={text('action')}
        data={[
          { value: '', label: 'Everything' },
          ...LOG_FILTERS.map((action) => ({ value: action, label: labelOr(FILTER_LABELS, action) })),
        ]}
        onChange={(event) => list.filter({ action: event.currentTarget.value || null })}
      />
      <DayRange list={list} />
      {text('actor') !== '' && (
        <Chosen
          label="Who"
          text={actor ? describeActor(actor) : text('actor')}
          onRemove={() => list.filter({ actor: null })}
        />
      )}
      {text('contact') !== '' && (
        <Chosen
          label="Contact"
          text={contact?.name ?? contact?.address ?? text('contact')}
          onRemove={() => list.filter({ contact: null })}
        />
      )}
    </div>
  );
}
