import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { SUPPRESSION_ORIGINS, SUPPRESSION_REASONS } from '#contract/suppressions/suppression.ts';
import { UNKNOWN } from '#contract/suppressions/suppressedContacts.ts';
import { paths } from '../../url/paths.ts';
import { describeActor } from '../../identity/describeChange.ts';
import { Chosen } from '../../table/filters/Chosen.tsx';
import { DayRange } from '../../table/filters/DayRange.tsx';
import { toDayQuery } from '../../table/filters/dayRange.ts';
import { useTimeZone } from '../../ui/format/time.ts';
import classes from '../../table/filters/Filters.module.css';
import type { ListControl } from '../../table/useList.ts';
import type { SuppressedRow } from './columns.tsx';
import { toContactFilter } from './contactFilter.ts';
import { describeOrigin, describeReason } from './words.ts';

type Props = {
  list: ListControl;
  /** For the name of a filtered actor. */
  rows: readonly SuppressedRow[] | undefined;
  children: ReactNode;
};

const REASONS = [
  { value: '', label: 'Any reason' },
  ...[...SUPPRESSION_REASONS, UNKNOWN].map((value) => ({ value, label: describeReason(value) })),
];
const ORIGINS = [
  { value: '', label: 'From anywhere' },
  ...[...SUPPRESSION_ORIGINS, UNKNOWN].map((value) => ({ value, label: describeOrigin(value) })),
];

export function SuppressionFilters({ list, rows, children }: Props) {
  const { filters } = list.state;
  const zone = useTimeZone();
  const text = (name: string) => (typeof filters[name] === 'string' ? filters[name] : '');
  const contactFilter = toContactFilter(toDayQuery(list.state, zone).filters ?? {});
  const actor = rows?.find((row) => (row.actor?.uuid ?? row.actor?.kind) === text('actor'))?.actor;
  return (
    <div className={classes.filters} role="group" aria-label="Filters" tabIndex={-1}>
      <NativeSelect
        size="xs"
        aria-label="Why"
        value={text('reason')}
        data={REASONS}
        onChange={(event) => list.filter({ reason: event.currentTarget.value || null })}
      />
      <NativeSelect
        size="xs"
        aria-label="Came from"
        value={text('origin')}
        data={ORIGINS}
        onChange={(event) => list.filter({ origin: event.currentTarget.value || null })}
      />
      <DayRange list={list} />
      {text('actor') !== '' && (
        <Chosen
          label="By"
          text={actor ? describeActor(actor) : text('actor')}
          onRemove={() => list.filter({ actor: null })}
        />
      )}
      {contactFilter !== null && (
        <Link
          to={paths.contactsBy(contactFilter)}
          title={contactFilter.includes('since:') ? 'The days as times in UTC' : undefined}
        >
          Open in Contacts
        </Link>
      )}
      {children}
    </div>
  );
}
