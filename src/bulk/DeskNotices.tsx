import { Button } from '@mantine/core';
import { download } from '../ui/page/download.ts';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './DeskStages.module.css';
import { StorageError } from './deskStore.ts';
import { StartOver } from './StartOver.tsx';
import type { ReadingStep } from './reading/useListReader.ts';

/** The first error of these mutations, which write to the journal. */
export function StorageErrorNotice({ of }: { of: readonly { error: Error | null }[] }) {
  const error = of.map((one) => one.error).find((one) => one !== null);
  return error === undefined ? null : (
    <Notice tone="bad" title="This browser could not keep the list">
      Nothing more is sent. {error?.message}
    </Notice>
  );
}

/** Why reading gave no list: nothing could be read, or it could not be stored. */
export function ReadingErrorNotice({ error }: { error: Error | null }) {
  if (error === null) return null;
  if (error instanceof StorageError) return <StorageErrorNotice of={[{ error }]} />;
  return (
    <Notice tone="bad" title="This cannot be read">
      <UntrustedText text={error.message} />
    </Notice>
  );
}

/** What the page does while a list is read, and how far it is. */
export function ReadingProgress({ step: { text, share } }: { step: ReadingStep }) {
  return (
    <div className={classes.reading}>
      <span role="status" className={classes.soft}>
        {text} …
      </span>
      <progress className={classes.bar} aria-label={text} value={share} />
    </div>
  );
}

export function ElsewhereNotice() {
  return (
    <Notice tone="warn" title="Bulk unsubscribe is open in another tab">
      One list at a time. This page continues when the other tab leaves it.
    </Notice>
  );
}

export function GoneNotice() {
  return (
    <Notice tone="neutral" title="The list was deleted">
      Someone signed out in this browser, and signing out deletes the list. Reload the page to continue.
    </Notice>
  );
}

export function BrokenNotice({ error }: { error: string }) {
  return (
    <Notice tone="bad" title="This browser can’t store a list">
      A list would not survive a crash. Allow this site to store data, then reload the page.{' '}
      <UntrustedText text={error} />
    </Notice>
  );
}

export function ForeignNotice() {
  return (
    <Notice tone="warn" title="This browser has a list from another workspace" actions={<StartOver isLoss />}>
      Sign in to that workspace to continue it. Starting a new list here deletes it from this browser.
    </Notice>
  );
}

export function UnreadableNotice({ contents }: { contents: unknown }) {
  const save = () =>
    download('unreadable-list.json', new Blob([JSON.stringify(contents, null, 2)], { type: 'application/json' }));
  return (
    <Notice
      tone="warn"
      title="This version cannot read the list in this browser"
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
