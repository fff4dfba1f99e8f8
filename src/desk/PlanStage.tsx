import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getContact } from '#contract/additions.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import type { ParsedInput } from '../list/readInput.ts';
import { useCapability } from '../session/useSession.ts';
import { usePageActions } from '../ui/actions.ts';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { formatCount } from '../ui/formatCount.ts';
import { desk } from './desk.ts';
import classes from './DeskStages.module.css';
import type { DeskSnapshot } from './deskState.ts';
import { determineStatus, pickContactIdentifier, sumCounts, UNSENT_STATUSES, type DeskEntry } from './entry.ts';
import { ReadAs } from './ReadAs.tsx';
import { StartOver } from './StartOver.tsx';
import { StorageErrorNotice } from './StorageErrorNotice.tsx';
import { useRun } from './useRun.tsx';

type Props = {
  snapshot: DeskSnapshot;
  /** What the list was read from; null after the page was left. */
  read: ParsedInput | null;
  onRead: (read: ParsedInput) => void;
};

/** Before the run: what it will do. The contacts can be looked up first. */
export function PlanStage({ snapshot: { counts, entries, list, error }, read, onRead }: Props) {
  const canRead = useCapability(getContact);
  const run = useRun();
  const check = useMutation({ mutationFn: () => desk.check() });
  const toSend = sumCounts(counts, UNSENT_STATUSES);
  const first = entries.find((entry) => UNSENT_STATUSES.includes(determineStatus(entry)));
  usePageActions([
    { id: 'desk-unsubscribe', label: `Unsubscribe ${formatCount(toSend)}`, run: run.start },
    ...(counts.unchecked > 0
      ? [{ id: 'desk-check', label: `Check ${formatCount(counts.unchecked)} first`, run: () => check.mutate() }]
      : []),
  ]);
  return (
    <section className={classes.stage} aria-label="What will be done">
      <div className={classes.top}>
        <PlanSummary count={entries.length} source={list?.source} toSend={toSend} />
        <StartOver />
      </div>
      {read !== null && <ReadAs read={read} onRead={onRead} />}
      {error !== null && (
        <Notice tone="bad" title="Not all could be checked">
          <UntrustedText text={error} />
        </Notice>
      )}
      <p className={classes.soft}>
        {canRead
          ? 'Checking reads every contact and changes nothing; a long list may go without.'
          : 'This service tells only whether there is such a contact. Whether somebody was unsubscribed before is known from the answer to the call itself.'}
      </p>
      {run.field}
      <StorageErrorNotice of={[run.mutation, check]} />
      <div className={classes.actions}>
        <Button color="red" disabled={toSend === 0} loading={run.mutation.isPending} onClick={run.start}>
          Unsubscribe {formatCount(toSend)}
        </Button>
        {counts.unchecked > 0 && (
          <Button variant="default" onClick={() => check.mutate()}>
            Check {formatCount(counts.unchecked)} first
          </Button>
        )}
        {first !== undefined && <CopyFirstRequest workspace={run.workspace} entry={first} />}
      </div>
    </section>
  );
}

type SummaryProps = { count: number; source: string | null | undefined; toSend: number };

function PlanSummary({ count, source, toSend }: SummaryProps) {
  return (
    <p className={classes.summary}>
      <b>{formatCount(count)}</b> {count === 1 ? 'entry' : 'entries'} read
      {source && (
        <>
          {' '}
          from <UntrustedText text={source} />
        </>
      )}
      . {formatCount(toSend)} to unsubscribe; nothing is sent yet.
    </p>
  );
}

/** Copies the first request of the run as a curl command. */
function CopyFirstRequest({ workspace, entry }: { workspace: string; entry: DeskEntry }) {
  return (
    <CopyCurl
      endpoint={unsubscribeContact}
      input={workspace === '' ? null : { workspace, contact: pickContactIdentifier(entry) }}
    />
  );
}
