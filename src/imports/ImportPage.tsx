import { Button } from '@mantine/core';
import { startImport } from '#contract/imports.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useCapability } from '../session/useSession.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { Notice } from '../ui/Notice.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useStore } from '../ui/page/store.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { Columns } from './Columns.tsx';
import { EndedImport } from './EndedImport.tsx';
import { FileChoice } from './FileChoice.tsx';
import classes from './Import.module.css';
import {
  chooseFile,
  forgetKept,
  type ImportState,
  importState,
  pauseImport,
  startOver,
  writeFile,
} from './importStore.ts';
import { PreviewPart } from './PreviewPart.tsx';
import { SourceChoice } from './SourceChoice.tsx';
import { UnusableFile } from './UnusableFile.tsx';

export function ImportPage() {
  const hasImport = useCapability(startImport);
  const deniedReason = useMissingRole(startImport);
  return (
    <div className={classes.page}>
      <PageTitle title="Import contacts" />
      {!hasImport ? (
        <p className="soft">This service doesn’t import contacts from the console.</p>
      ) : deniedReason === null ? (
        <Import />
      ) : (
        <Notice tone="neutral" title={`Importing ${deniedReason}`}>
          Ask a workspace admin for a different role.
        </Notice>
      )}
    </div>
  );
}

function Import() {
  const state = useStore(importState);
  const { file, ended, progress, error, kept, isElsewhere } = state;
  if (ended !== null) return <EndedImport ended={ended} />;
  if (progress !== null) return <Progress progress={progress} name={file?.name ?? ''} />;
  if (file === null) {
    return (
      <>
        <UnusableFile error={error} />
        <FileChoice onChoose={(chosen) => void chooseFile(chosen)} />
      </>
    );
  }
  if (isElsewhere) return <Elsewhere name={file.name} />;
  const isKept = kept?.state === 'incomplete';
  return (
    <>
      {error !== null && <ErrorAlert error={error} />}
      {kept !== null && <Kept kept={kept} />}
      <SourceChoice state={state} isFixed={isKept} />
      {state.source !== null && state.source.kind.refusal === undefined && (
        <>
          <Columns state={state} isFixed={isKept} />
          {!isKept && <PreviewPart state={state} />}
        </>
      )}
    </>
  );
}

function Elsewhere({ name }: { name: string }) {
  return (
    <Notice
      tone="warn"
      title={`${name} is open in another tab`}
      actions={
        <Button size="xs" variant="default" onClick={startOver}>
          Choose another file
        </Button>
      }
    >
      Check and import it there. This page continues when the other tab leaves the file.
    </Notice>
  );
}

/** What the service has of the same file. */
function Kept({ kept }: { kept: NonNullable<ImportState['kept']> }) {
  const { state, received, entries, started_at } = kept;
  if (state !== 'incomplete') {
    return (
      <Notice tone="neutral" title="This file was imported before">
        Imported <DateTime value={started_at} />. Another import of it changes only what differs.
      </Notice>
    );
  }
  return (
    <Notice
      tone="warn"
      title={`${formatCount(received)} of ${formatCount(entries)} lines are imported`}
      actions={
        <>
          <Button size="xs" onClick={() => void writeFile()}>
            Continue ({formatCount(entries - received)} left)
          </Button>
          <Button size="xs" variant="default" onClick={forgetKept}>
            Start another import
          </Button>
        </>
      }
    >
      The import of this file isn’t complete. Unless it still runs in another browser, continue it with the same
      columns; lines that are imported stay as they are.
    </Notice>
  );
}

const STEPS = { reading: 'Reading', checking: 'Checking', importing: 'Importing' };

function Progress({
  progress: { step, done, total },
  name,
}: {
  progress: NonNullable<ImportState['progress']>;
  name: string;
}) {
  return (
    <section className={classes.part} aria-label={STEPS[step]}>
      <p role="status">
        {STEPS[step]} <UntrustedText text={name} />
        {step === 'reading' ? ' …' : `: ${formatCount(done)} of ${formatCount(total)} lines`}
      </p>
      <progress
        className={classes.bar}
        aria-label={STEPS[step]}
        {...(step !== 'reading' && { value: done, max: total })}
      />
      <div className={classes.actions}>
        {step !== 'reading' && (
          <Button variant="default" onClick={pauseImport}>
            {step === 'checking' ? 'Stop checking' : 'Pause'}
          </Button>
        )}
        {step === 'reading' && (
          <Button variant="default" onClick={startOver}>
            Cancel
          </Button>
        )}
        {step === 'importing' && <span className="note">You can leave this page; keep the tab open.</span>}
      </div>
    </section>
  );
}
