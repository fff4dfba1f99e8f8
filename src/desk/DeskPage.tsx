import { useEffect, useState, useSyncExternalStore } from 'react';
import { getContact } from '#contract/additions.ts';
import type { ParsedInput } from '../list/readInput.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Notice } from '../ui/Notice.tsx';
import { desk } from './desk.ts';
import classes from './DeskStages.module.css';
import { EntryTable } from './EntryTable.tsx';
import { ListInput } from './ListInput.tsx';
import { PausedStage } from './PausedStage.tsx';
import { PlanStage } from './PlanStage.tsx';
import { ReceiptStage } from './ReceiptStage.tsx';
import { RunningStage } from './RunningStage.tsx';
import { StartOver } from './StartOver.tsx';

/** Unsubscribes the contacts of a list: reads it, shows the plan, runs it and makes a receipt. */
export function DeskPage() {
  const { workspace_uuid: workspace } = useSession();
  const canRead = useCapability(getContact);
  const snapshot = useSyncExternalStore(desk.subscribe, desk.snapshot);
  // Kept while the page is open, so that another column can be chosen.
  const [read, setRead] = useState<ParsedInput | null>(null);

  useEffect(() => desk.attach({ workspace, canRead }), [workspace, canRead]);

  const { phase, error, list } = snapshot;
  return (
    <div className={classes.desk}>
      <PageTitle title="Desk" />
      {phase === 'elsewhere' && (
        <Notice tone="warn" title="The desk is open in another tab">
          One list at a time: this page goes on by itself when the other tab leaves the desk.
        </Notice>
      )}
      {phase === 'gone' && (
        <Notice tone="neutral" title="The list was deleted">
          Somebody signed out in this browser, and that takes the list away. Reload the page to go on.
        </Notice>
      )}
      {phase === 'empty' && error !== null && (
        <Notice tone="bad" title="This browser keeps no list">
          A list could not survive a crash, so none is begun. {error}
        </Notice>
      )}
      {phase === 'empty' && error === null && <ListInput onRead={setRead} />}
      {phase === 'foreign' && <OtherWorkspaceNotice />}
      {list !== null && phase === 'plan' && <PlanStage snapshot={snapshot} read={read} onRead={setRead} />}
      {(phase === 'checking' || phase === 'running') && <RunningStage snapshot={snapshot} />}
      {list !== null && phase === 'paused' && <PausedStage snapshot={snapshot} list={list} />}
      {list !== null && phase === 'ended' && <ReceiptStage snapshot={snapshot} list={list} />}
      {list !== null && phase !== 'foreign' && <EntryTable snapshot={snapshot} />}
    </div>
  );
}

/** Shown when the list in the journal belongs to another workspace than the session. */
function OtherWorkspaceNotice() {
  return (
    <Notice tone="warn" title="A list of another workspace is on the desk" actions={<StartOver isLoss />}>
      It was begun with a token of another workspace. Sign in to that one to go on with it, or start over here, which
      deletes it from this browser.
    </Notice>
  );
}
