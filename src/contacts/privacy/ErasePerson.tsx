import { TextInput } from '@mantine/core';
import { useQuery, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { REASON_MAX } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { listViews } from '#contract/savedViews.ts';
import {
  previewErasure,
  REFERENCE_MAX,
  type UnclearLines,
  eraseContact,
  type ErasureRequest,
  type ReadableErasure,
} from '#contract/privacy.ts';
import { isNotFound, describeFields } from '../../api/ApiError.ts';
import { apiQuery, readAgain } from '../../api/apiQuery.ts';
import { requestWithId } from '../../api/client.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { ConfirmDialog } from '../../api/FormDialog.tsx';
import { personName } from '../../identity/person.ts';
import { isResponseLost } from '../../identity/unsubscribe.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { hideToast } from '../../ui/Toast.tsx';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from '../unsubscribe/Unsubscribe.module.css';

type Props = {
  record: ReadableContact;
  /** Owned by the page, which shows a lost response after the dialog is closed. */
  erase: ReturnType<typeof useEraseContact>;
  onClose: () => void;
};

type Fields = { identity: string; reference: string; reason: string };

export function ErasePerson({ record, erase, onClose }: Props) {
  const preview = useQuery({ ...apiQuery(previewErasure, { contact: record.uuid }), gcTime: 0 });
  const { field, submit, setErrors } = useForm<Fields>({ identity: '', reference: '', reason: '' }, validate);
  const isGone = isNotFound(preview.error);
  const finish = useEffectEvent(() => erase.finish('earlier'));
  useEffect(() => {
    if (isGone) finish();
  }, [isGone]);
  const counts = preview.data?.data;
  const [also, setAlso] = useState<readonly string[]>([]);

  const send = (fields: Fields) =>
    erase.mutate(toRequest(fields, also), { onError: (error) => setErrors(describeFields(error, MESSAGES) ?? {}) });
  return (
    <ConfirmDialog
      title={
        <>
          Erase <UntrustedText text={personName(record)} />?
        </>
      }
      act="Erase"
      isDisabled={counts === undefined}
      call={describeFields(erase.error, MESSAGES) === null ? erase : { ...erase, error: null }}
      note={erase.note}
      onSubmit={() => submit(send)}
      onClose={onClose}
    >
      {preview.isError ? (
        <ErrorAlert error={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <p aria-busy={preview.isPending}>
          <strong>This can’t be undone.</strong> {describeDeletion(counts)}
        </p>
      )}
      {counts !== undefined && counts.unclear.length > 0 && (
        <EntriesAboutOthers entries={counts.unclear} selected={also} onChange={setAlso} />
      )}
      {counts?.has_more_identities === true && (
        <p>This contact had many identities. Only the latest are blocked and searched for in the log.</p>
      )}
      <p>{KEPT}</p>
      <TextInput
        label="Email, phone or ID of this person"
        description="Type one to confirm. If there is none, type the UUID."
        required
        autoComplete="off"
        {...field('identity')}
      />
      <TextInput
        label="Reference (optional)"
        description="For example, a ticket number. Shown to anyone who tries to add this person again."
        autoComplete="off"
        {...field('reference')}
      />
      <TextInput label="Reason (optional)" description="Recorded in the log." autoComplete="off" {...field('reason')} />
    </ConfirmDialog>
  );
}

const KEPT =
  'What’s kept: a log entry that says who erased a contact and when, without naming the person; and a code for each identity, which blocks adding or importing the person again until an admin lifts the erasure. Attributes and events of other contacts aren’t searched.';

const toRequest = ({ identity, reference, reason }: Fields, also: readonly string[]): ErasureRequest => ({
  identity: identity.trim(),
  ...(reference.trim() !== '' && { reference: reference.trim() }),
  ...(reason.trim() !== '' && { reason: reason.trim() }),
  ...(also.length > 0 && { also: [...also] }),
});

type EntriesProps = {
  entries: readonly UnclearLines[];
  /** Identities whose entries are deleted too. */
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
};

function EntriesAboutOthers({ entries, selected, onChange }: EntriesProps) {
  return (
    <fieldset className={classes.lines}>
      <legend>Log entries about others</legend>
      <p>
        These may be about this person, or about someone else with the same email, phone or ID. They’re kept unless you
        select them.
      </p>
      {Array.from(
        Map.groupBy(entries, ({ value }) => value),
        ([value, lines]) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={selected.includes(value)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...selected, value] : selected.filter((one) => one !== value))
              }
            />
            <span>
              <UntrustedText text={value} />: {lines.map(describeEntries).join(', ')}
            </span>
          </label>
        ),
      )}
    </fieldset>
  );
}

function describeDeletion(counts: { identities: number; events: number; changes: number } | undefined): string {
  if (counts === undefined) return 'Counting what will be deleted …';
  const { identities, events, changes } = counts;
  return `Deletes the record, ${count(identities, 'identity', 'identities')}, ${count(events, 'event', 'events')} and ${count(changes, 'change', 'changes')}, and saved views that mention the person.`;
}

const count = (value: number, one: string, many: string) => `${formatCount(value)} ${value === 1 ? one : many}`;

const describeEntries = ({ how, log_lines }: UnclearLines) =>
  `${how === 'had' ? 'others had it' : 'mentioned'} in ${count(log_lines, 'entry', 'entries')}`;

const MESSAGES = {
  identity: 'This isn’t an email, phone or ID of this contact.',
  reference: 'This identifies the person and is kept after erasure. Use a reference number.',
  reason: 'This identifies the person and is kept after erasure. Leave their name out.',
};

const validate = ({ identity, reference, reason }: Fields) => ({
  identity: identity.trim() === '' ? 'Enter an email, phone or ID of this contact.' : undefined,
  reference: findTextError(reference, REFERENCE_MAX),
  reason: findTextError(reason, REASON_MAX),
});

type ErasureDone = ReadableErasure & { reference?: string; requestId?: string };
/** `earlier`: a request with a lost response, or someone else, erased the person before. */
export type Erased = ErasureDone | 'earlier';

/** No automatic retry: the user decides. After a lost response the person may be gone; the next request then answers 404. */
export function useEraseContact(record: ReadableContact, onErased: (erased: Erased) => void) {
  const client = useQueryClient();
  const [mayBeGone, setMayBeGone] = useState(false);
  const finish = (erased: Erased) => {
    onErased(erased);
    // Views that mention the person are deleted.
    void readAgain(client, listViews);
    // Once the page no longer shows the contact: shown queries would be read again.
    setTimeout(() => forgetContact(client, record));
  };
  const mutation = useMutation({
    mutationFn: async (body: ErasureRequest): Promise<Erased> => {
      try {
        const { result, requestId } = await requestWithId(eraseContact, { contact: record.uuid, body });
        return {
          ...result.data,
          ...(body.reference !== undefined && { reference: body.reference }),
          ...(requestId !== undefined && { requestId }),
        };
      } catch (error) {
        if (isNotFound(error)) return 'earlier';
        if (isResponseLost(error)) setMayBeGone(true);
        throw error;
      }
    },
    onSuccess: finish,
  });
  const note = mayBeGone ? 'The person may have been erased. It is safe to erase again.' : undefined;
  return { ...mutation, mayBeGone, note, finish };
}

/** Removes everything that this tab knows about a contact. */
function forgetContact(client: QueryClient, { uuid, attributes }: ReadableContact): void {
  const { email, phone } = attributes ?? {};
  const texts = [uuid, email, phone].filter((text) => typeof text === 'string' && text !== '') as string[];
  const namesContact = (value: unknown) => {
    const json = JSON.stringify(value) ?? '';
    return texts.some((text) => json.includes(JSON.stringify(text).slice(1, -1)));
  };
  client.removeQueries({ predicate: ({ queryKey, state }) => namesContact([queryKey, state.data]) });
  client.getMutationCache().clear();
  hideToast();
}
