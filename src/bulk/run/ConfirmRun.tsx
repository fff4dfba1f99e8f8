import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useSession } from '../../session/useSession.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormButtons } from '../../ui/Form.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from '../DeskStages.module.css';
import { type DeskEntry, determineStatus, UNSENT_STATUSES } from '../entry.ts';

import { EntryText } from '../EntryText.tsx';

/** Entries that the question names. */
const NAMED = 5;

type Props = { toSend: number; entries: readonly DeskEntry[]; onClose: () => void; onConfirm: () => void };

/** Asks before a run: how many it will unsubscribe, and who the first of them are. */
export function ConfirmRun({ toSend, entries, onClose, onConfirm }: Props) {
  const { name } = useSession();
  const named = useMemo(() => firstToSend(entries), [entries]);
  const count = formatCount(toSend);
  return (
    <Dialog title={`Unsubscribe ${count} ${toSend === 1 ? 'contact' : 'contacts'}?`} onClose={onClose}>
      <div className={classes.question}>
        <ul className={classes.named}>
          {named.map((entry) => (
            <li key={entry.index}>
              <Named entry={entry} />
            </li>
          ))}
          {toSend > named.length && <li>and {formatCount(toSend - named.length)} more</li>}
        </ul>
        <p>
          They will no longer receive mail from {name === null ? 'this workspace' : <UntrustedText text={name} />}.
          Their records and history stay.
        </p>
      </div>
      <FormButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="red"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          Unsubscribe {count}
        </Button>
      </FormButtons>
    </Dialog>
  );
}

function firstToSend(entries: readonly DeskEntry[]): DeskEntry[] {
  const named: DeskEntry[] = [];
  for (const entry of entries) {
    if (named.length === NAMED) break;
    if (entry.isTicked && UNSENT_STATUSES.includes(determineStatus(entry))) named.push(entry);
  }
  return named;
}

/** The name where it is known, and what stands in the list. */
function Named({ entry: { person, text } }: { entry: DeskEntry }) {
  const name = person?.name;
  if (name === undefined || name === '' || text.includes(name)) return <EntryText text={text} />;
  return (
    <>
      <UntrustedText text={name} />, <EntryText text={text} />
    </>
  );
}
