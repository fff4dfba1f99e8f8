import { useEffect, useState, useSyncExternalStore } from 'react';
import { getContact } from '#contract/additions.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { PageTitle } from '../shell/PageTitle.tsx';
import { Notice } from '../ui/Notice.tsx';
import { desk } from './desk.ts';
import classes from './DeskPage.module.css';
import { EntryTable } from './EntryTable.tsx';
import { Intake, type Read } from './Intake.tsx';
import { Ended, Foreign, Plan, Stopped, UnderWay } from './stages.tsx';

/** Unsubscribes everybody on a list: paste it, look at what will be done, do it, leave with a receipt. */
export function DeskPage() {
  const { workspace_uuid: workspace } = useSession();
  const canRead = useCapability(getContact);
  const snapshot = useSyncExternalStore(desk.subscribe, desk.snapshot);
  // What was pasted, kept while the page is open, so that another column can be chosen.
  const [read, setRead] = useState<Read | null>(null);

  useEffect(() => desk.enter({ workspace, canRead }), [workspace, canRead]);

  const { phase, fault, list } = snapshot;
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
      {phase === 'empty' && fault !== null && (
        <Notice tone="bad" title="This browser keeps no list">
          A list could not survive a crash, so none is begun. {fault}
        </Notice>
      )}
      {phase === 'empty' && fault === null && <Intake onRead={setRead} />}
      {phase === 'foreign' && <Foreign />}
      {list !== null && phase === 'plan' && <Plan snapshot={snapshot} read={read} onRead={setRead} />}
      {(phase === 'checking' || phase === 'running') && <UnderWay snapshot={snapshot} />}
      {list !== null && phase === 'paused' && <Stopped snapshot={snapshot} list={list} />}
      {list !== null && phase === 'ended' && <Ended snapshot={snapshot} list={list} />}
      {list !== null && phase !== 'foreign' && <EntryTable snapshot={snapshot} />}
    </div>
  );
}
