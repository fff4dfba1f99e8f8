import { useMemo } from 'react';
import { ConfirmDialog } from '../../api/FormDialog.tsx';
import { useSession } from '../../session/useSession.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from '../Stages.module.css';
import { type BulkEntry, isToSend } from '../entry.ts';
import { EntryText } from '../EntryRows.tsx';

/** Entries that the question lists. */
const NAMED = 5;

type Props = { toSend: number; entries: readonly BulkEntry[]; onClose: () => void; onConfirm: () => void };

/** Asks before a run: how many it will unsubscribe, and who the first of them are. */
export function ConfirmRun({ toSend, entries, onClose, onConfirm }: Props) {
  const { name } = useSession();
  const named = useMemo(() => Iterator.from(entries).filter(isToSend).take(NAMED).toArray(), [entries]);
  const count = formatCount(toSend);
  const confirm = () => {
    onClose();
    onConfirm();
  };
  return (
    <ConfirmDialog
      title={`Unsubscribe ${count} ${toSend === 1 ? 'contact' : 'contacts'}?`}
      act={`Unsubscribe ${count}`}
      onSubmit={confirm}
      onClose={onClose}
    >
      <ul className={classes.named}>
        {named.map((entry) => (
          <li key={entry.index}>
            <Named entry={entry} />
          </li>
        ))}
        {toSend > named.length && <li>and {formatCount(toSend - named.length)} more</li>}
      </ul>
      <p>
        They will no longer receive mail from {name === null ? 'this workspace' : <UntrustedText text={name} />}. Their
        records and history stay.
      </p>
    </ConfirmDialog>
  );
}

/** The name if it is known, and the text of the list. */
function Named({ entry: { person, text } }: { entry: BulkEntry }) {
  const name = person?.name;
  if (name === undefined || name === '' || text.includes(name)) return <EntryText text={text} />;
  return (
    <>
      <UntrustedText text={name} />, <EntryText text={text} />
    </>
  );
}
