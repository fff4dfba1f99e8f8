import { useEffect, useState, useSyncExternalStore } from 'react';
import { unsubscribeContact } from '#contract/interface.ts';
import type { ParsedInput } from '../listParser/readInput.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useHasAdditions, useSession } from '../session/useSession.ts';
import { Notice } from '../ui/Notice.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useDelayedFlag } from '../ui/page/useDelayedFlag.ts';
import { desk } from './desk.ts';
import classes from './DeskStages.module.css';
import { type EntryFilter, NO_FILTER } from './entryFilter.ts';
import { EntryTable } from './EntryTable.tsx';
import { ListInput } from './reading/ListInput.tsx';
import {
  BrokenNotice,
  ElsewhereNotice,
  ForeignNotice,
  GoneNotice,
  UnreadableNotice,
  ReadingProgress,
} from './DeskNotices.tsx';
import type { DeskState } from './deskState.ts';
import { PausedStage } from './run/PausedStage.tsx';
import { PlanStage } from './PlanStage.tsx';
import { ReceiptStage } from './run/ReceiptStage.tsx';
import { CheckingStage, RunningStage } from './run/RunningStage.tsx';
import { TakenContacts } from './reading/TakenContacts.tsx';

/** Unsubscribes the contacts of a list, for whoever may. */
export function DeskPage() {
  const mayNotUnsubscribe = useMissingRole(unsubscribeContact);
  if (mayNotUnsubscribe === null) return <Desk />;
  return (
    <>
      <PageTitle title="Bulk unsubscribe" />
      <Notice tone="neutral" title={`Unsubscribing ${mayNotUnsubscribe}`}>
        An admin of the workspace can give you another. A list that is in this browser stays here until you sign out.
      </Notice>
    </>
  );
}

/** Reads a list, shows the plan, runs it and makes a receipt. */
function Desk() {
  const { workspace_uuid: workspace } = useSession();
  const hasAdditions = useHasAdditions();
  const state = useSyncExternalStore(desk.subscribe, desk.snapshot);
  // Kept while the page is open, so that another column can be chosen.
  const [read, setRead] = useState<ParsedInput | null>(null);
  const [filter, setFilter] = useState<EntryFilter>(NO_FILTER);
  const startReading = (input: ParsedInput) => {
    setRead(input);
    setFilter(NO_FILTER);
  };

  useEffect(() => desk.attach({ workspace, hasAdditions }), [workspace, hasAdditions]);

  return (
    <div className={classes.desk}>
      <PageTitle title="Bulk unsubscribe" />
      <TakenContacts state={state} />
      <Stage
        state={state}
        read={read}
        onRead={startReading}
        onShowLeftOut={() => setFilter({ ...NO_FILTER, isLeftOut: true })}
      />
      {'entries' in state && <EntryTable state={state} filter={filter} onFilter={setFilter} />}
    </div>
  );
}

/** A list of many entries takes seconds to be read from the journal. */
function Opening() {
  const lasts = useDelayedFlag(true);
  return lasts && <ReadingProgress step={{ text: 'Opening the list in this browser' }} />;
}

type StageProps = {
  state: DeskState;
  read: ParsedInput | null;
  onRead: (read: ParsedInput) => void;
  onShowLeftOut: () => void;
};

function Stage({ state, ...plan }: StageProps) {
  switch (state.phase) {
    case 'opening':
      return <Opening />;
    case 'elsewhere':
      return <ElsewhereNotice />;
    case 'foreign':
      return <ForeignNotice />;
    case 'gone':
      return <GoneNotice />;
    case 'broken':
      return <BrokenNotice error={state.error} />;
    case 'unreadable':
      return <UnreadableNotice contents={state.contents} />;
    case 'empty':
      return <ListInput onRead={plan.onRead} />;
    case 'plan':
      return <PlanStage state={state} {...plan} />;
    case 'checking':
      return <CheckingStage progress={state.progress} />;
    case 'running':
      return <RunningStage state={state} />;
    case 'paused':
      return <PausedStage state={state} />;
    case 'ended':
      return <ReceiptStage state={state} />;
  }
}
