import { TextInput } from '@mantine/core';
import { useTimeZone } from '../../ui/format/time.ts';
import type { Step } from '../../url/urlState.ts';
import type { ListControl } from '../useList.ts';
import { useSearchText } from '../useSearchText.ts';
import { Chosen } from './Chosen.tsx';
import { zoneOfDays } from './dayRange.ts';
import classes from './Filters.module.css';

/** The days `from` and `to` of a list, both included. */
export function DayRange({ list }: { list: ListControl }) {
  const { filters } = list.state;
  const [from = '', to = ''] = [filters['from'], filters['to']].map((day) => (typeof day === 'string' ? day : ''));
  const own = useTimeZone();
  const zone = zoneOfDays(filters, own);
  // With the zone, so that the URL means the same days everywhere.
  const set = (name: 'from' | 'to', value: string, how: Step) => {
    const other = name === 'from' ? to : from;
    list.filter({ [name]: value || null, zone: value === '' && other === '' ? null : zone }, how);
  };
  return (
    <>
      <Day label="From" value={from} onChange={(value, how) => set('from', value, how)} />
      <Day label="To" value={to} onChange={(value, how) => set('to', value, how)} />
      {from !== '' && to !== '' && from > to && (
        <p role="alert" className={classes.fault}>
          “To” is before “From”, so nothing is found.
        </p>
      )}
      {zone !== own && <Chosen label="Days in" text={zone} onRemove={() => list.filter({ zone: own })} />}
    </>
  );
}

type DayProps = { label: string; value: string; onChange: (value: string, how: Step) => void };

/** Changes the URL a moment after the last key: each digit of a year makes another day. Only the first adds a history entry. */
function Day({ label, value, onChange }: DayProps) {
  const { text, setText, commit } = useSearchText(value, (day) =>
    onChange(day, { replace: value !== '' && day !== '' }),
  );
  return (
    <label className={classes.day}>
      <span>{label}</span>
      <TextInput
        type="date"
        size="xs"
        // A value from the URL would overwrite a partly typed year.
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={commit}
      />
    </label>
  );
}
