import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type NamedContact, undoImport, type UndoneContacts } from '#contract/imports.ts';
import { listRuns, type ReadableBulkRun } from '#contract/runs/runs.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { ConfirmDialog } from '../../api/FormDialog.tsx';
import { Sender } from '../../api/sender.ts';
import { fieldName } from '../../identity/describeChange.ts';
import { sessionSignal } from '../../session/session.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { announce } from '../../ui/page/announce.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import classes from './Runs.module.css';

type Undone = Omit<UndoneContacts, 'next' | 'again'> & { again: NamedContact[] };

/** Contacts that are named. */
const SHOWN_MAX = 20;

/** What an undo of the whole import does; with `dry_run` only what it would do. */
async function undoAll(run: string, dry_run: boolean, signal?: AbortSignal): Promise<Undone> {
  const sender = new Sender(AbortSignal.any([sessionSignal(), ...(signal === undefined ? [] : [signal])]));
  const sum: Undone = { restored: 0, resubscribed: 0, erased: 0, undone_before: 0, left: [], again: [] };
  for (let after: number | null = 0; after !== null;) {
    const input: { run: string; body: { after: number; dry_run: boolean } } = { run, body: { after, dry_run } };
    const data: UndoneContacts = (await sender.send(() => request(undoImport, input, signal))).data;
    for (const name of ['restored', 'resubscribed', 'erased', 'undone_before'] as const) sum[name] += data[name];
    sum.left.push(...data.left);
    sum.again.push(...(data.again ?? []));
    after = data.next;
  }
  return sum;
}

/** Offers the undo of an import, after saying what changed since. */
export function UndoImport({ run }: { run: ReadableBulkRun }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        {run.imported?.undo ? 'Continue undo…' : 'Undo…'}
      </Button>
      {isAsking && <AskUndo run={run} onClose={() => setAsking(false)} />}
    </>
  );
}

function AskUndo({ run: { uuid, imported, recorded }, onClose }: { run: ReadableBulkRun; onClose: () => void }) {
  const client = useQueryClient();
  const seen = useQuery({
    queryKey: [undoImport.id, uuid],
    queryFn: ({ signal }) => undoAll(uuid, true, signal),
    gcTime: 0,
    staleTime: 0,
  });
  const call = useMutation({
    mutationFn: () => undoAll(uuid, false),
    onSuccess: ({ restored }) => {
      announce(`${formatCount(restored)} ${restored === 1 ? 'contact' : 'contacts'} set back`);
      onClose();
    },
    onSettled: () => readAgain(client, listRuns),
  });
  const count = seen.data?.restored ?? 0;
  const isBegun = (imported?.undo ?? null) !== null;
  return (
    <ConfirmDialog
      title={isBegun ? 'Continue the undo of this import?' : 'Undo this import?'}
      act={seen.data === undefined ? 'Undo' : count === 0 && isBegun ? 'Finish' : `Set back ${formatCount(count)}`}
      isDisabled={seen.data === undefined || (count === 0 && !isBegun)}
      call={call}
      onSubmit={() => call.mutate()}
      onClose={onClose}
    >
      {seen.isError && <ErrorAlert error={seen.error} onRetry={() => void seen.refetch()} />}
      {seen.isFetching && (
        <p role="status" className={classes.undo}>
          Comparing the contacts with what the import wrote …
        </p>
      )}
      {seen.data && <Consequences undone={seen.data} added={imported?.added ?? 0} recorded={recorded ?? 0} />}
    </ConfirmDialog>
  );
}

function Consequences({ undone, added, recorded }: { undone: Undone; added: number; recorded: number }) {
  const { restored, resubscribed, erased, undone_before, left, again } = undone;
  return (
    <div className={classes.undo}>
      <p>
        Contacts that get their values from before the import: {formatCount(restored)}
        {resubscribed > 0 && `, of which ${formatCount(resubscribed)} also subscribed again`}.
        {undone_before > 0 && ` Set back before: ${formatCount(undone_before)}.`}
        {erased > 0 && ` Erased since: ${formatCount(erased)}.`}
      </p>
      {again.length > 0 && (
        <Listed title="Subscribed again:" contacts={again}>
          {() => null}
        </Listed>
      )}
      {added > 0 && <p>Contacts that it added stay: {formatCount(added)}.</p>}
      {recorded > 0 && (
        <p>
          Complaints and legal reasons that it recorded for contacts already unsubscribed stay: {formatCount(recorded)}.
        </p>
      )}
      {left.length > 0 && (
        <Listed title={`Contacts with fields that stay as they are: ${formatCount(left.length)}.`} contacts={left}>
          {({ fields }) => (
            <>
              : <UntrustedText text={fields.map(({ field, why }) => `${fieldName(field)} (${why})`).join(', ')} />
            </>
          )}
        </Listed>
      )}
    </div>
  );
}

type ListedProps<Contact> = {
  title: string;
  contacts: readonly Contact[];
  /** What follows the name of a contact. */
  children: (contact: Contact) => ReactNode;
};

/** The first of some contacts, by name and address. */
function Listed<Contact extends NamedContact>({ title, contacts, children }: ListedProps<Contact>) {
  return (
    <>
      <p>{title}</p>
      <ul className={classes.left}>
        {contacts.slice(0, SHOWN_MAX).map((contact) => (
          <li key={contact.uuid}>
            <Link to={paths.contact(contact.uuid)}>
              <UntrustedText text={[contact.name, contact.address].filter(Boolean).join(', ') || contact.uuid} />
            </Link>
            {children(contact)}
          </li>
        ))}
        {contacts.length > SHOWN_MAX && <li>{formatCount(contacts.length - SHOWN_MAX)} more</li>}
      </ul>
    </>
  );
}
