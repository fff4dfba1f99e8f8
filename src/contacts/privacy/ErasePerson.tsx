import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { REASON_MAX } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { previewErasure, REFERENCE_MAX, type UnclearLines } from '#contract/privacy.ts';
import { isNotFound, sayAtFields } from '../../api/ApiError.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { ConfirmDialog } from '../../api/FormDialog.tsx';
import { personName } from '../../identity/person.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { findTextError, useForm } from '../../ui/useForm.ts';
import type { useEraseContact } from './eraseContact.ts';
import classes from '../unsubscribe/Unsubscribe.module.css';

type Props = {
  record: ReadableContact;
  /** Held by the page, so that it is known after the dialog was closed that an answer was lost. */
  erase: ReturnType<typeof useEraseContact>;
  onClose: () => void;
};

type Fields = { identity: string; reference: string; reason: string };

/** Says what an erasure removes and what stays, and asks for an identity of the contact. */
export function ErasePerson({ record, erase, onClose }: Props) {
  const preview = useQuery({ ...apiQuery(previewErasure, { contact: record.uuid }), gcTime: 0 });
  const { field, submit, setErrors } = useForm<Fields>({ identity: '', reference: '', reason: '' }, validate);
  const isGone = isNotFound(preview.error);
  const finish = useEffectEvent(() => erase.finish('earlier'));
  useEffect(() => {
    if (isGone) finish();
  }, [isGone]);
  const counts = preview.data?.data;
  /** Identities whose lines about others go too. */
  const [also, setAlso] = useState<readonly string[]>([]);

  const send = ({ identity, reference, reason }: Fields) =>
    erase.mutate(
      {
        identity: identity.trim(),
        ...(reference.trim() !== '' && { reference: reference.trim() }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
        ...(also.length > 0 && { also: [...also] }),
      },
      { onError: (error) => setErrors(sayAtFields(error, MESSAGES) ?? {}) },
    );
  return (
    <ConfirmDialog
      title={
        <>
          Erase <UntrustedText text={personName(record)} />?
        </>
      }
      act="Erase"
      isDisabled={counts === undefined}
      call={sayAtFields(erase.error, MESSAGES) === null ? erase : { ...erase, error: null }}
      note={erase.note}
      onSubmit={() => submit(send)}
      onClose={onClose}
    >
      {preview.isError ? (
        <ErrorAlert error={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <p aria-busy={preview.isPending}>
          <strong>This cannot be undone.</strong>{' '}
          {counts === undefined
            ? 'Counting what will be deleted …'
            : `Deletes the record, ${count(counts.identities, 'identity', 'identities')}, ${count(counts.events, 'event', 'events')} and ${count(counts.changes, 'change', 'changes')}.`}
        </p>
      )}
      {counts !== undefined && counts.unclear.length > 0 && (
        <fieldset className={classes.lines}>
          <legend>Lines of the log about others</legend>
          <p>
            They may mean this person, or somebody else with the same email, phone or ID. They stay unless you tick
            them.
          </p>
          {Array.from(
            Map.groupBy(counts.unclear, ({ value }) => value),
            ([value, lines]) => (
              <label key={value}>
                <input
                  type="checkbox"
                  checked={also.includes(value)}
                  onChange={({ currentTarget: { checked } }) =>
                    setAlso((chosen) => (checked ? [...chosen, value] : chosen.filter((one) => one !== value)))
                  }
                />
                <span>
                  <UntrustedText text={value} />: {lines.map(sayLines).join(', ')}
                </span>
              </label>
            ),
          )}
        </fieldset>
      )}
      {counts?.has_more_identities === true && (
        <p>This contact had so many identities that only the last ones are refused and looked for in the log.</p>
      )}
      <p>
        What stays: a line in the log that says who erased a contact and when, without naming the person; and a code for
        each identity by which the person is refused if somebody adds or imports them again, until an admin lifts that.
        The attributes and events of other contacts are not searched for this person, and stay.
      </p>
      <TextInput
        label="Email, phone or ID of this person"
        description="Type it to confirm. Without any of these, the UUID."
        required
        autoComplete="off"
        {...field('identity')}
      />
      <TextInput
        label="Number of the request"
        description="If there is one, as in a ticket. People who add this person again will see it."
        autoComplete="off"
        {...field('reference')}
      />
      <TextInput label="Reason" description="For the log." autoComplete="off" {...field('reason')} />
    </ConfirmDialog>
  );
}

const count = (value: number, one: string, many: string) => `${formatCount(value)} ${value === 1 ? one : many}`;

const sayLines = ({ how, log_lines }: UnclearLines) =>
  `${how === 'had' ? 'others had it' : 'mentioned'} in ${count(log_lines, 'line', 'lines')}`;

const MESSAGES = {
  identity: 'This is not an email, phone or ID of this contact.',
  reference: 'This names the person, and it would stay. Use a number.',
  reason: 'This names the person, and it would stay. Say it without the name.',
};

const validate = ({ identity, reference, reason }: Fields) => ({
  identity: identity.trim() === '' ? 'Type an email, phone or ID of this contact.' : undefined,
  reference: findTextError(reference, REFERENCE_MAX),
  reason: findTextError(reason, REASON_MAX),
});
