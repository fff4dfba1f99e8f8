import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { RESPONSIBLE_PARTY_LABELS, ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { useSession } from '../../../session/useSession.ts';
import { formatSort, parseSort, type ListControl } from '../../../table/useList.ts';
import { localMoment, parseTime, useTimeZone } from '../../../ui/format/time.ts';
import { usePageActions } from '../../../ui/page/actions.ts';
import { recordVisit } from '../../../ui/page/lastVisit.ts';
import { describeCause } from '../describeCause.ts';
import { CHANGED, isDay } from './changed.ts';
import { listProblems, type DomainRow } from '../rows/domainRow.ts';
import { domainSummaryQuery } from '../rows/rowsQuery.ts';
import classes from './TableTools.module.css';

type Props = {
  list: ListControl;
  rows: readonly DomainRow[];
  hasReports: boolean;
  visit: string | null;
  /** When the list was read, in milliseconds since the epoch. */
  readAt: number;
  onWall: () => void;
  /** The view, and the menu of the list. */
  children: ReactNode;
};

/** The order and the filters, then what is given. */
export function TableTools({ list, rows, hasReports, visit, readAt, onWall, children }: Props) {
  usePageActions([{ id: 'wall', label: 'Show the domains as a wall', run: onWall }]);
  const { workspace_uuid } = useSession();
  const record = useEffectEvent((at: number) => recordVisit('domains', workspace_uuid ?? '', new Date(at)));
  useEffect(() => record(readAt), [readAt]);
  return (
    <>
      <OrderSelect list={list} hasReports={hasReports} />
      {hasReports && <TableFilters list={list} rows={rows} visit={visit} />}
      {children}
    </>
  );
}

const REPORT_ORDERS = [
  { value: '-urgency', label: 'Worst first' },
  { value: 'name', label: 'By name' },
  { value: '-changed_at', label: 'Last changed first' },
  { value: 'checked_at', label: 'Longest unchecked first' },
  { value: 'provider', label: 'By provider' },
  { value: '-created_at', label: 'Newest first' },
];

/** A service without reports sorts by what it has; the rows of a page can be sorted here. */
const ORDERS = [
  { value: '-urgency', label: 'Worst of the page first' },
  { value: 'name', label: 'By name' },
  { value: 'provider', label: 'By provider' },
  { value: '-created_at', label: 'Newest first' },
];

function OrderSelect({ list, hasReports }: { list: ListControl; hasReports: boolean }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const { state, change } = list;
  const value = formatSort(state.sort);
  const orders = hasReports ? REPORT_ORDERS : ORDERS;
  // A click on a header turns an order around.
  const turned = orders.find((order) => parseSort(order.value).id === state.sort.id);
  const others = orders.some((order) => order.value === value)
    ? []
    : [{ value, label: turned === undefined ? state.sort.id : `${turned.label}, reversed` }];
  return (
    <NativeSelect
      size="xs"
      className={classes.select}
      aria-label="Order"
      value={value}
      data={[...orders, ...others]}
      onChange={({ currentTarget: { value } }) => change({ sort: parseSort(value) })}
    />
  );
}

type FiltersProps = { list: ListControl; rows: readonly DomainRow[]; visit: string | null };

type Choice = { value: string; label: string };

/** By what changed, its cause, who must act, and the provider. Causes and providers are those of the workspace. */
function TableFilters({ list, rows, visit }: FiltersProps) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const { filters } = list.state;
  const valueOf = (name: string) => String(filters[name] ?? '');
  const choose = (name: string, value: string) => list.filter({ [name]: value || null });
  // StateFilter.tsx reads it.
  const { data: summary } = useQuery({ ...domainSummaryQuery, enabled: false });
  const codes = rows.flatMap(({ findings }) => listProblems(findings).flatMap(({ code }) => code ?? []));
  const providers = rows.flatMap(({ domain: { provider } }) => provider ?? []);
  const selects = [
    { name: 'changed', label: 'Changed', any: 'Any time', choices: useTimes(valueOf('changed'), visit) },
    {
      name: 'code',
      label: 'Cause',
      any: 'Any cause',
      choices: choicesOf(summary?.data.codes, codes, valueOf('code'), describeCause),
    },
    { name: 'turn', label: 'Who acts', any: 'Anyone', choices: PARTIES },
    {
      name: 'provider',
      label: 'Provider',
      any: 'Any provider',
      choices: choicesOf(summary?.data.providers, providers, valueOf('provider')),
    },
  ];
  return (
    <>
      {selects.map(({ name, label, any, choices }) => (
        <NativeSelect
          key={name}
          size="xs"
          className={classes.select}
          data-set={valueOf(name) !== '' || undefined}
          aria-label={label}
          value={toOption(name, valueOf(name))}
          data={[{ value: '', label: any }, ...choices]}
          onChange={({ currentTarget: { value } }) => choose(name, value === 'date' ? today() : value)}
        />
      ))}
      {isDay(valueOf('changed')) && (
        <TextInput
          type="date"
          size="xs"
          aria-label="Changed since"
          value={valueOf('changed')}
          max={today()}
          // While a date is typed it's empty.
          onChange={({ currentTarget: { value } }) => value !== '' && choose('changed', value)}
        />
      )}
      <CauseFilter cause={valueOf('cause')} onRemove={() => choose('cause', '')} />
    </>
  );
}

const toOption = (name: string, value: string) => (name === 'changed' && isDay(value) ? 'date' : value);

const today = () => new Date().toISOString().slice(0, 10);

const PARTIES: readonly Choice[] = ResponsibleParty.options.map((value) => ({
  value,
  label: RESPONSIBLE_PARTY_LABELS[value],
}));

function useTimes(chosen: string, visit: string | null): Choice[] {
  const zone = useTimeZone();
  const time = parseTime(visit);
  const labels = {
    yesterday: 'Changed since yesterday',
    '7d': 'Changed in 7 days',
    visit: time === null ? 'Since I was here (first visit)' : `Since I was here, ${localMoment(time, zone)}`,
  };
  return [
    ...CHANGED.filter((value) => value !== 'visit' || visit !== null || chosen === 'visit').map((value) => ({
      value,
      label: labels[value],
    })),
    { value: 'date', label: 'Changed since a date' },
  ];
}

/** Each value once, in the order of its label: what the workspace has, what a check has found since, and the chosen one. */
function choicesOf(
  known: readonly string[] = [],
  shown: readonly string[],
  chosen: string,
  describe: (value: string) => string = String,
): Choice[] {
  const byKey = new Map([...known, ...shown, chosen].map((value) => [value.toLowerCase(), value]));
  byKey.delete('');
  return [...byKey.values()]
    .map((value) => ({ value, label: escapeInvisible(describe(value)) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

/** What several domains have in common comes from a link of the side panel. */
function CauseFilter({ cause, onRemove }: { cause: string; onRemove: () => void }) {
  if (cause === '') return null;
  return (
    <button type="button" className={classes.cause} onClick={onRemove} title="Remove this filter">
      <span>{escapeInvisible(cause)}</span>
      <span aria-hidden> ×</span>
      <span className="visually-hidden">: remove this filter</span>
    </button>
  );
}
