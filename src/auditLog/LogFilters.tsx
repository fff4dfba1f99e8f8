import { NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { ACTIONS } from '#contract/change.ts';
import type { ReadableLogLine } from '#contract/auditLog.ts';
import { describeActor } from '../identity/describeChange.ts';
import type { ListControl } from '../table/useList.ts';
import { refocusOnRemoval } from '../ui/page/refocusOnRemoval.ts';
import { useSearchText } from '../table/useSearchText.ts';
import { useTimeZone } from '../ui/format/time.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { labelOr } from '../ui/format/labelOr.ts';
import classes from './ActivityPage.module.css';
import type { Step } from '../url/urlState.ts';
import { ACTION_LABELS } from './describeLine.ts';
import { zoneOfDays } from './queries.ts';

type Props = {
  list: ListControl;
  /** The page's entries, for the names of filtered actors and contacts. */
  lines: readonly ReadableLogLine[] | undefined;
};

export function LogFilters({ list, lines }: Props) {
  const { filters } = list.state;
  const text = (name: string) => (typeof filters[name] === 'string' ? filters[name] : '');
  const own = useTimeZone();
  const zone = zoneOfDays(filters, own);
  const set = (name: string, value: string, how?: Step) => {
    const { [name]: _, zone: __, ...others } = filters;
    const next = value === '' ? others : { ...others, [name]: value };
    // With the zone, so that the URL means the same days everywhere.
    list.change({ filters: 'from' in next || 'to' in next ? { ...next, zone } : next }, how);
  };
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
          ...ACTIONS.map((action) => ({ value: action, label: labelOr(ACTION_LABELS, action) })),
        ]}
        onChange={(event) => set('action', event.currentTarget.value)}
      />
      <Day label="From" value={text('from')} onChange={(value, how) => set('from', value, how)} />
      <Day label="To" value={text('to')} onChange={(value, how) => set('to', value, how)} />
      {text('from') !== '' && text('to') !== '' && text('from') > text('to') && (
        <p role="alert" className={classes.fault}>
          “To” is before “From”, so nothing is found.
        </p>
      )}
      {zone !== own && (
        <Chosen label="Days in" text={zone} onRemove={() => list.change({ filters: { ...filters, zone: own } })} />
      )}
      {text('actor') !== '' && (
        <Chosen label="Who" text={actor ? describeActor(actor) : text('actor')} onRemove={() => set('actor', '')} />
      )}
      {text('contact') !== '' && (
        <Chosen
          label="Contact"
          text={contact?.name ?? contact?.address ?? text('contact')}
          onRemove={() => set('contact', '')}
        />
      )}
    </div>
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

function Chosen({ label, text, onRemove }: { label: string; text: string; onRemove: () => void }) {
  return (
    <button
      ref={refocusOnRemoval}
      type="button"
      className={classes.chosen}
      onClick={onRemove}
      title="Remove this filter"
    >
      {label}: <UntrustedText text={text} />
      <IconX size={14} aria-hidden />
    </button>
  );
}
