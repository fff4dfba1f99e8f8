import { Button } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { unsubscribeContact } from '#contract/interface.ts';
import { startRun } from '#contract/runs/runs.ts';
import type { ParsedInput } from '../listParser/readInput.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useCapability, useHasAdditions, useSession } from '../session/useSession.ts';
import { Notice } from '../ui/Notice.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useDelayedFlag } from '../ui/page/useDelayedFlag.ts';
import { bulk } from './bulk.ts';
import classes from './Stages.module.css';
import { type EntryFilter, LEFT_OUT, NO_FILTER } from './entryFilter.ts';
import { EntryTable } from './EntryTable.tsx';
import { ListInput } from './reading/ListInput.tsx';
import { ReadingProgress } from './BulkNotices.tsx';
import type { BulkState } from './bulkState.ts';
import { PlanStage } from './PlanStage.tsx';
import { StartOver } from './StartOver.tsx';
import { download } from '../ui/page/download.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { ReceiptStage } from './run/ReceiptStage.tsx';
import { CheckingStage, PausedStage, RunningStage } from './run/RunStages.tsx';
import { IncomingContacts } from './reading/IncomingContacts.tsx';
import { IncomingText } from './reading/IncomingText.tsx';
import { BulkTabs } from './runs/BulkTabs.tsx';
import { IncomingRun } from './runs/IncomingRun.tsx';

export function BulkPage() {
  const unsubscribeDeniedReason = useMissingRole(unsubscribeContact);
  if (unsubscribeDeniedReason === null) return <Bulk />;
  return (
    <>
      <PageTitle title="Bulk unsubscribe" />
      <Notice tone="neutral" title={`Unsubscribing ${unsubscribeDeniedReason}`}>
        Ask a workspace admin for a different role. A list in this browser stays here until you sign out.
      </Notice>
    </>
  );
}

/** Reads a list, shows the plan, runs it and makes a receipt. */
function Bulk() {
  const { workspace_uuid: workspace } = useSession();
  const hasAdditions = useHasAdditions();
  const state = useSyncExternalStore(bulk.subscribe, bulk.snapshot);
  // Kept while the page is open, so that another column can be chosen.
  const [read, setRead] = useState<ParsedInput | null>(null);
  const [filter, setFilter] = useState<EntryFilter>(NO_FILTER);
  const startReading = (input: ParsedInput) => {
    setRead(input);
    setFilter(NO_FILTER);
  };

  const keepsRuns = useCapability(startRun);
  useEffect(() => bulk.attach({ workspace, hasAdditions, keepsRuns }), [workspace, hasAdditions, keepsRuns]);

  return (
    <div className={classes.page}>
      <PageTitle title="Bulk unsubscribe" />
      <BulkTabs />
      <IncomingRun state={state} />
      <IncomingContacts state={state} />
      <IncomingText state={state} />
      <Stage
        state={state}
        read={read}
        onRead={startReading}
        onShowLeftOut={() => setFilter({ ...NO_FILTER, state: LEFT_OUT })}
      />
      {'entries' in state && <EntryTable state={state} filter={filter} onFilter={setFilter} />}
    </div>
  );
}

/** A long list takes seconds to read from the journal. */
function Opening() {
  const lasts = useDelayedFlag(true);
  return lasts && <ReadingProgress step={{ text: 'Opening the list in this browser' }} />;
}

type StageProps = {
  state: BulkState;
  read: ParsedInput | null;
  onRead: (read: ParsedInput) => void;
  onShowLeftOut: () => void;
};

function Stage({ state, ...plan }: StageProps) {
  switch (state.phase) {
    case 'opening':
      return <Opening />;
    case 'elsewhere':
      return (
        <Notice
          tone="warn"
          title="Bulk unsubscribe is open in another tab"
          actions={
            <Button variant="default" size="xs" onClick={bulk.takeOver}>
              Use it here
            </Button>
          }
        >
          One list at a time. This page continues when the other tab leaves it, or now: a run there pauses.
        </Notice>
      );
    case 'foreign':
      return (
        <Notice tone="warn" title="This browser has a list from another workspace" actions={<StartOver isLoss />}>
          Sign in to that workspace to continue it. Starting a new list here deletes it from this browser.
        </Notice>
      );
    case 'gone':
      return (
        <Notice tone="neutral" title="The list was deleted">
          Someone signed out in this browser, which deletes the list. Reload the page to continue.
        </Notice>
      );
    case 'broken':
      return (
        <Notice tone="bad" title="This browser can’t store a list">
          A list would not survive a crash. Allow this site to store data, then reload the page.{' '}
          <UntrustedText text={state.error} />
        </Notice>
      );
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

function UnreadableNotice({ contents }: { contents: unknown }) {
  const save = () =>
    download('unreadable-list.json', new Blob([JSON.stringify(contents, null, 2)], { type: 'application/json' }));
  return (
    <Notice
      tone="warn"
      title="This version can’t read the list in this browser"
      actions={
        <>
          <Button variant="default" size="xs" onClick={save}>
            Save as a file
          </Button>
          <StartOver isLoss />
        </>
      }
    >
      It was created by another version of the console. It is kept until you start a new list.
    </Notice>
  );
}
